package shm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/internal/rt"
	"github.com/sinew-robotics/sinew/net/link"
)

// The layout of a segment, in bytes. All numbers are little-endian.
const (
	magic   = 0x314b4e4c574e4953 // "SINWLNK1"
	version = 2

	atMagic   = 0   // uint64
	atVersion = 8   // uint32
	atSeats   = 12  // uint32: MaxReceivers
	atSize    = 16  // uint64: of a packet
	atDepth   = 24  // uint32
	atPolicy  = 28  // uint32: 0 drops the oldest, 1 the newest
	atDigest  = 32  // 32 bytes: SHA-256 of the schema, or zeros if not known
	atVaries  = 64  // uint32: 1 if each packet has a length of its own, up to the size
	atNumber  = 128 // uint64: packets sent so far
	atEpoch   = 136 // uint64: how many senders there have been
	atRefused = 144 // uint64: when an end with another type, size or depth was last rejected, ns of CLOCK_MONOTONIC
	atSeatTab = 256 // MaxReceivers records of seatBytes

	seatBytes  = 128
	atState    = 0  // uint32: seatFree, seatWanted, seatServed
	atBell     = 4  // uint32: futex word
	atServedBy = 8  // uint64: epoch of the sender that serves it
	atMissed   = 16 // uint64: packets that a full queue dropped

	stampBytes = 16 // before each packet: its number, uint64, and when it was sent, uint64 ns of CLOCK_MONOTONIC
)

// MaxReceivers is the maximum number of receivers of a link.
const MaxReceivers = 16

// The seats of a segment, bytes of the file that are locked.
const (
	senderSeat = 0
	guardSeat  = 1 // held while a segment is made, replaced or removed
	firstSeat  = 2 // of the first receiver
)

// States of a receiver's record.
const (
	seatFree   uint32 = iota
	seatWanted        // the receiver requests a new exchange
	seatServed        // the sender has created it
)

// errMismatch means that a segment carries other packets than this end.
type errMismatch struct{ text string }

func (e errMismatch) Error() string { return e.text }

// segment is the shared memory of a link.
type segment struct {
	path   string
	spec   link.Spec
	packet int // with its stamp
	shared *rt.Shared
	mem    []byte
}

// bodyBytes returns the size of one receiver's exchange.
func bodyBytes(packet, depth int) int {
	if depth > 0 {
		return lockfree.QueueSize(packet, depth)
	}
	return lockfree.LatestSize(packet)
}

func segmentBytes(spec *link.Spec) int {
	return atSeatTab + MaxReceivers*(seatBytes+bodyBytes(spec.Size+stampBytes, spec.Depth))
}

// varies returns what stands in a header for [link.Spec.Varies].
func varies(spec *link.Spec) uint32 {
	if spec.Varies {
		return 1
	}
	return 0
}

func digest(schema string) (d [32]byte) {
	if schema != "" {
		d = sha256.Sum256([]byte(schema))
	}
	return d
}

// open opens the segment of a link and takes the first free one of n seats. It creates the segment if there is none,
// and replaces an unused one that carries other packets. If no seat is free it returns errNoSeat.
func open(path string, spec link.Spec, first, n int) (s *segment, seat int, err error) {
	const attempts = 100 // other processes may create and remove it at the same time
	for range attempts {
		if s, err = tryOpen(path, spec); err == nil {
			if seat, err = s.take(first, n); err == nil {
				return s, seat, nil
			}
			_ = s.shared.Close()
		}
		if !errors.Is(err, errAgain) {
			return nil, 0, err
		}
		time.Sleep(replacePause)
	}
	return nil, 0, fmt.Errorf("open %s: other processes keep replacing it", path)
}

// replacePause gives another process time to finish removing or creating a segment.
const replacePause = 20 * time.Microsecond

var (
	errAgain  = errors.New("the segment was replaced meanwhile")
	errNoSeat = errors.New("all seats are taken")
)

func tryOpen(path string, spec link.Spec) (*segment, error) {
	if err := checkFolder(filepath.Dir(filepath.Dir(path))); err != nil {
		return nil, err
	}
	shared, err := rt.OpenShared(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, create(path, spec)
	}
	if err != nil {
		return nil, err
	}
	s := &segment{path: path, spec: spec, packet: spec.Size + stampBytes, shared: shared, mem: shared.Bytes()}
	if err := s.check(); err != nil {
		if errors.As(err, new(errMismatch)) {
			if binary.LittleEndian.Uint32(s.mem[atVersion:]) == version {
				s.word64(atRefused).Store(uint64(rt.Now()))
			}
			if s.removeUnused() {
				err = errAgain
			}
		}
		_ = shared.Close()
		return nil, err
	}
	return s, nil
}

// checkFolder rejects a folder of segments that another user created or may enter. A missing folder is valid.
func checkFolder(folder string) error {
	if err := private.Check(folder); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// create completes a segment before it gives it its name. It returns errAgain: the caller must open the file that now
// has the name.
func create(path string, spec link.Spec) error {
	folder := filepath.Dir(path)
	if err := private.Make(filepath.Dir(folder)); err != nil {
		return err
	}
	switch err := private.Make(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return errAgain // another process, which closed its last segment, removed it after it was made
	case err != nil:
		return err
	}
	part := fmt.Sprintf("%s%s%d-%d", path, partSuffix, os.Getpid(), partNumber.Add(1))
	shared, err := rt.CreateShared(part, segmentBytes(&spec))
	if errors.Is(err, fs.ErrNotExist) {
		return errAgain // the folder was removed meanwhile
	}
	if err != nil {
		return err
	}
	mem := shared.Bytes()
	binary.LittleEndian.PutUint64(mem[atMagic:], magic)
	binary.LittleEndian.PutUint32(mem[atVersion:], version)
	binary.LittleEndian.PutUint32(mem[atSeats:], MaxReceivers)
	binary.LittleEndian.PutUint64(mem[atSize:], uint64(spec.Size))
	binary.LittleEndian.PutUint32(mem[atDepth:], uint32(spec.Depth))
	binary.LittleEndian.PutUint32(mem[atPolicy:], uint32(spec.Overflow))
	d := digest(spec.Schema)
	copy(mem[atDigest:], d[:])
	binary.LittleEndian.PutUint32(mem[atVaries:], varies(&spec))
	err = os.Link(part, path)
	err = errors.Join(err, shared.Close(), os.Remove(part))
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) { // created here, created by another process, or the folder was cleaned
		return errAgain
	}
	return err
}

// partSuffix and the creator's process ID follow a segment's name until it is complete.
const partSuffix = ".part-"

var partNumber atomic.Uint64

// check compares the header with this end's spec.
func (s *segment) check() error {
	m := s.mem
	if len(m) < atSeatTab || binary.LittleEndian.Uint64(m[atMagic:]) != magic {
		return fmt.Errorf("%s is not a link of sinew, or its header is damaged: it is left alone; stop the system and remove it", s.path)
	}
	if v := binary.LittleEndian.Uint32(m[atVersion:]); v != version {
		return errMismatch{fmt.Sprintf("the peer is of another version of sinew (segment version %d, here %d)", v, version)}
	}
	if n := binary.LittleEndian.Uint64(m[atSize:]); n != uint64(s.spec.Size) {
		return errMismatch{fmt.Sprintf("the peer's packets have %d bytes, here %d", n, s.spec.Size)}
	}
	if n := binary.LittleEndian.Uint32(m[atVaries:]); n != varies(&s.spec) {
		return errMismatch{"packets have lengths of their own on one side, and one length on the other"}
	}
	if n := binary.LittleEndian.Uint32(m[atDepth:]); n != uint32(s.spec.Depth) {
		return errMismatch{fmt.Sprintf("the peer's link is buffered for %d packets, here %d", n, s.spec.Depth)}
	}
	theirs, ours := m[atDigest:atDigest+32], digest(s.spec.Schema)
	if unknown := make([]byte, 32); !bytes.Equal(theirs, unknown) && !bytes.Equal(ours[:], unknown) && !bytes.Equal(theirs, ours[:]) {
		return errMismatch{"the peer's packets have another type of the same size"}
	}
	if len(m) != segmentBytes(&s.spec) || binary.LittleEndian.Uint32(m[atSeats:]) != MaxReceivers {
		return errMismatch{"the segment has another layout"}
	}
	return nil
}

// removeUnused removes the segment if no seat is taken, and reports whether it did.
func (s *segment) removeUnused() bool {
	if !s.shared.Take(guardSeat) {
		return false
	}
	for seat := range firstSeat + MaxReceivers {
		if seat != guardSeat && s.shared.Taken(seat) {
			return false
		}
	}
	if !s.shared.Current(s.path) || os.Remove(s.path) != nil {
		return false
	}
	_ = os.Remove(filepath.Dir(s.path)) // if it was the last segment
	return true
}

// take takes the first free one of n seats. It returns errAgain if the segment no longer is, or may soon not be, the
// file at its path: a process that removes the segment first takes the guard and then checks the seats, so one of the
// two notices the other.
func (s *segment) take(first, n int) (seat int, err error) {
	for seat := first; seat < first+n; seat++ {
		if !s.shared.Take(seat) {
			continue
		}
		if s.shared.Taken(guardSeat) || !s.shared.Current(s.path) {
			return 0, errAgain
		}
		return seat, nil
	}
	return 0, errNoSeat
}

// used reports whether another end has one of the seats from first on.
func (s *segment) used(first, n int) bool {
	for seat := range n {
		if s.shared.Taken(first + seat) {
			return true
		}
	}
	return false
}

// problem explains why the link is not connected: the last rejection while it is recent, otherwise missing.
func (s *segment) problem(missing string) string {
	if at := int64(s.word64(atRefused).Load()); at != 0 && rt.Now()-at < int64(refusalShown) {
		return "an end with another packet type, size or depth was rejected: see its problem"
	}
	return missing
}

// refusalShown is how long a rejection is reported. A rejected end tries again every retryPeriod.
const refusalShown = 10 * retryPeriod

// close gives up the seats, and removes the segment if it is unused.
func (s *segment) close(seat int) error {
	s.shared.Leave(seat)
	s.removeUnused()
	return s.shared.Close()
}

func (s *segment) word32(at int) *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&s.mem[at])) }
func (s *segment) word64(at int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&s.mem[at])) }

// seat is the record and the exchange of one receiver.
type seat struct {
	state  *atomic.Uint32
	bell   *rt.Wake
	served *atomic.Uint64
	missed *atomic.Uint64
	body   []byte
}

func (s *segment) seat(i int) seat {
	at := atSeatTab + i*seatBytes
	size := bodyBytes(s.packet, s.spec.Depth)
	body := atSeatTab + MaxReceivers*seatBytes + i*size
	return seat{
		state: s.word32(at + atState), bell: rt.WakeAt(s.mem[at+atBell:]), served: s.word64(at + atServedBy),
		missed: s.word64(at + atMissed), body: s.mem[body : body+size : body+size],
	}
}
