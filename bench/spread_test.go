package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" { // another process of a measurement
		if err := children[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testkit.Main(m)
}

// The systems of the tables multirate, limbs and watchers load, and their bridges carry each link and the ticks of followers.
func TestSpreadSystemsHaveTheirWires(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{multirateSystem, []string{"answer.out far near", "trip.out near far"}},
		{strings.Replace(burdenedSystem, "NATS", "", 1), []string{"answer.out far near", "trip.out near far"}},
		{limbsSystem(), []string{
			"answer0.out.t9 of_limb0 of_head", "answer1.out.t9 of_limb1 of_head", "answer2.out.t9 of_limb2 of_head", "answer3.out.t9 of_limb3 of_head",
			"thread.head.tick of_head of_limb0", "thread.head.tick of_head of_limb1", "thread.head.tick of_head of_limb2", "thread.head.tick of_head of_limb3",
			"trip0.out.t9 of_head of_limb0", "trip1.out.t9 of_head of_limb1", "trip2.out.t9 of_head of_limb2", "trip3.out.t9 of_head of_limb3",
		}},
	} {
		file := filepath.Join(t.TempDir(), "x.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(c.text, "NAME", "x", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		wires, err := spread{}.wires(file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range wires {
			got = append(got, w.name+" "+w.from+" "+w.to)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("the bridges carry %q, want %q", got, c.want)
		}
	}
}

func TestSinkReceivesWhatSourceSends(t *testing.T) {
	t.Setenv("SINEW_SHM", testkit.SharedFolder(t))
	sent := traffic{2, 10_000, time.Millisecond}
	testkit.Await(t, "packets arrive", func() bool {
		got, err := direct("bench-test", 300*time.Millisecond, sent)
		return err == nil && got["packets"] > 0 && got["max"] >= got["p50"]
	})
	if got, err := parseTraffic(sent.arguments()); err != nil || got != sent {
		t.Errorf("%+v becomes %+v: %v", sent, got, err)
	}
}
