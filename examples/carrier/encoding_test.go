package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/linktest"
	"github.com/sinew-robotics/sinew/net/schema"
)

func TestEncodingConforms(t *testing.T) {
	layout, err := schema.LayoutOf(reflect.ValueOf(0.0))
	if err != nil {
		t.Fatal(err)
	}
	e := linktest.Encoded{Coded: link.Coded{Encoding: Encoding()}, Layout: layout}
	number := func(packet []byte) float64 { return layout.Leaves()[0].Float(packet) }
	for _, x := range []float64{0, 1. / 3, -1e30, math.Inf(1)} {
		packet := make([]byte, layout.Size())
		layout.Encode(packet, reflect.ValueOf(&x).UnsafePointer())
		e.Packets = append(e.Packets, packet)
	}
	e.Near = func(sent, got []byte) error {
		if a, b := number(sent), number(got); b != float64(float32(a)) {
			return fmt.Errorf("%v became %v", a, b)
		}
		return nil
	}
	linktest.RunEncoding(t, e)
}

func TestSystemFilesNameEncodingAndScheduler(t *testing.T) {
	out, err := command("check", "-v", "system.yaml").CombinedOutput()
	for _, want := range []string{"encoded: single", "carrier unix, scheduler shortest"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("check -v: %v, want %q\n%s", err, want, out)
		}
	}
	text, err := os.ReadFile("system.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[string]string{
		"encode: single->encode: singel":           `encode: no encoding "singel"; did you mean "single"?`,
		"encode: single->encode: {single: {a: 1}}": "encode single: takes no options",
		"scheduler: shortest->scheduler: shotrest": `scheduler: no scheduler "shotrest"; did you mean "shortest"?`,
	} {
		from, to, _ := strings.Cut(change, "->")
		path := filepath.Join(t.TempDir(), "system.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := command("check", path).CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %q\n%s", change, err, want, out)
		}
	}
}

func TestSchedulerPrefersTheShortest(t *testing.T) {
	if next := Scheduler().Next([]link.Waiting{{Bytes: 300}, {Bytes: 16}, {Bytes: 40}}); next != 1 {
		t.Errorf("link %d goes first", next)
	}
}
