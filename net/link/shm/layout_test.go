package shm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/sinew-robotics/sinew/internal/lockfree"
	"github.com/sinew-robotics/sinew/net/link"
)

// reference is the page by which ends in other languages are written.
const reference = "../../../docs/reference/shared-memory.md"

// TestLayoutMatchesTheReference compares the offsets of the header with the table of the reference.
func TestLayoutMatchesTheReference(t *testing.T) {
	text, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	documented := map[int]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \| ([^|]+) \|$`).FindAllStringSubmatch(string(text), -1) {
		at, _ := strconv.Atoi(row[1])
		documented[at] = row[2] + ": " + row[3]
	}
	for at, want := range map[int]string{
		atMagic: fmt.Sprintf("u64: magic, `%#x`", uint64(magic)), atVersion: fmt.Sprintf("u32: version, %d", version),
		atSeats: fmt.Sprintf("u32: maximum number of receivers, %d", MaxReceivers), atSize: "u64: bytes of a packet", atDepth: "u32: depth",
		atPolicy: "u32: which packet a full queue drops; 0: the oldest", atDigest: "32 bytes: SHA-256 of the schema", atVaries: "u32: 1: each packet has a length of its own", atNumber: "u64: packets sent",
		atEpoch: "u64: epoch", atRefused: "u64: time when an end with another type was last rejected",
		atSeatTab:                          fmt.Sprintf("%d × %d bytes: a record", MaxReceivers, seatBytes),
		atSeatTab + MaxReceivers*seatBytes: fmt.Sprintf("%d × body: an exchange", MaxReceivers),
	} {
		if !bytes.HasPrefix([]byte(documented[at]), []byte(want)) {
			t.Errorf("offset %d is %q in the code and %q in %s", at, want, documented[at], reference)
		}
	}
}

// TestSegmentReadByHandMatchesTheReference reads a segment as a program in another language does: from the file, by
// the numbers of the reference.
func TestSegmentReadByHandMatchesTheReference(t *testing.T) {
	x := transport(t)
	const size, schema = 300, "float64[37] value\n"
	for _, depth := range []int{0, 5} {
		spec := link.Spec{Name: fmt.Sprintf("by-hand.%d", depth), Schema: schema, Size: size, Depth: depth, Overflow: lockfree.DropNewest}
		rx, err := x.Receive(spec)
		if err != nil {
			t.Fatal(err)
		}
		tx, err := x.Send(spec)
		if err != nil {
			t.Fatal(err)
		}
		packet := bytes.Repeat([]byte{0xa5}, size)
		for range 3 {
			if err := tx.Send(packet); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(filepath.Join(Folder(x.system), spec.Name))
		if err != nil {
			t.Fatal(err)
		}
		u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
		u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
		slot := 384 // 16 + 300 bytes, rounded up to 128
		body := map[int]int{0: 128 + 3*slot, 5: 384 + 7*(128+slot)}[depth]
		first := map[int]int{ // the offset of the receiver's packet
			0: 2304 + 128 + int(u64(2304)>>2&3)*slot,
			5: 2304 + 384 + 128,
		}[depth]
		number := map[int]uint64{0: 3, 5: 1}[depth]
		sum := sha256.Sum256([]byte(schema))
		for what, ok := range map[string]bool{
			"magic": string(b[:8]) == "SINWLNK1", "version": u32(8) == 2, "receivers": u32(12) == 16, "size": u64(16) == size,
			"depth": u32(24) == uint32(depth), "policy": u32(28) == 1, "digest": bytes.Equal(b[32:64], sum[:]), "sent": u64(128) == 3,
			"epoch": u64(136) == 1, "state": u32(256) == 2, "bell": u32(260) == 1, "served by": u64(264) == 1,
			"varies": u32(64) == 0,
			"bytes":  depth == 0 && u64(2304+8+8*int(u64(2304)>>2&3)) == 16+size || depth > 0 && u64(2304+384+8) == 16+size,
			"length": len(b) == 2304+16*body, "number": u64(first) == number, "sent at": u64(first+8) > 0,
			"packet": bytes.Equal(b[first+16:first+16+size], packet), "fresh": depth > 0 || u64(2304)>>6 == 1,
			"queue": depth == 0 || u64(2304) == 0 && u64(2304+128) == 3 && u64(2304+256) == 0 && u64(2304+384) == 1,
		} {
			if !ok {
				t.Errorf("depth %d: the %s is not at the offset in the reference", depth, what)
			}
		}
		rx.Close()
		tx.Close()
	}
}
