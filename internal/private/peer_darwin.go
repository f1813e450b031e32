package private

import "golang.org/x/sys/unix"

// peerOf returns the user who runs the other end of a socket.
func peerOf(fd uintptr) (uid int, known bool, err error) {
	peer, err := unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, false, err
	}
	return int(peer.Uid), true, nil
}
