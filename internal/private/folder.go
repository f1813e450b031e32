package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// runtimeVariable names the folder of the user's session.
const runtimeVariable = "XDG_RUNTIME_DIR"

// Folder returns the folder in which the systems of this user keep their sockets, addresses and logs on this machine,
// and creates it if it is missing:
//
//   - "sinew" in the folder that $XDG_RUNTIME_DIR names by an absolute path, where that exists and is not the system's usual one,
//   - "sinew" in /run/user/UID, where the user lingers (loginctl enable-linger): shells with and without the variable find it,
//   - else "sinew-UID" in the folder for temporary files. Without lingering /run/user/UID is removed when the user's last session
//     ends, also that of a cut SSH connection; systems go on, and nothing could find or stop them.
//
// If a folder exists but is not private, Folder fails; it uses no other instead.
func Folder() (string, error) {
	temporary := filepath.Join(os.TempDir(), ownName())
	usual := filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	if set := os.Getenv(runtimeVariable); filepath.IsAbs(set) && filepath.Clean(set) != usual && exists(set) {
		folder := filepath.Join(set, "sinew")
		if err := Make(folder); err != nil {
			return "", fmt.Errorf("%w (%s=%s)", err, runtimeVariable, set)
		}
		return folder, nil
	}
	if folder := filepath.Join(usual, "sinew"); exists(usual) && lingers() {
		if exists(folder) || Check(temporary) != nil { // otherwise it may hold systems started before the user lingered
			return folder, Make(folder)
		}
	}
	if err := Make(temporary); err != nil {
		return "", fmt.Errorf("%w; or name another folder with %s, or have one of your own: loginctl enable-linger", err, runtimeVariable)
	}
	return temporary, nil
}

// lingers reports whether the system keeps the folder of the user's session when the user logs out.
func lingers() bool {
	name := userName(os.Getuid())
	return name != "" && exists(filepath.Join("/var/lib/systemd/linger", name))
}

// Below creates nested folders below a private one and returns the path of the innermost.
func Below(folder string, names ...string) (string, error) {
	for _, name := range names {
		if !filepath.IsLocal(name) || filepath.Base(name) != name {
			return "", fmt.Errorf("make a folder in %s: %q is not a name", folder, name)
		}
		folder = filepath.Join(folder, name)
		if err := Make(folder); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// Make creates a private folder if the path does not exist, and checks it.
func Make(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return Check(folder)
}

// ownName returns the name of this user's folder among those of others.
func ownName() string { return "sinew-" + strconv.Itoa(os.Getuid()) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
