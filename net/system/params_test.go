package system_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/system"
)

const withParams = `system: x
params: {height: 2, speed: 3}
threads: {main: {period: 1ms}}
blocks:
  wave: {type: rig.Wave, params: {amplitude: "${height}"}}
groups:
  inline: {blocks: {gain: {type: rig.Gain, params: {gain: "${speed}"}}}}
  other: {include: other.yaml, params: {k: "${speed}"}}
`

// The value of a system's parameter stands once and is used by blocks and groups; overlays and the command line change it for all.
func TestParametersOfTheSystemAreUsedInSeveralPlaces(t *testing.T) {
	dir := write(t, "x.yaml", withParams, "other.yaml", "params: {k: 1}\nblocks: {gain: {type: rig.Gain, thread: main, params: {gain: '${k}'}}}\n",
		"over.yaml", "params: {speed: 7}\ngroups: {other: {include: another.yaml}}\n",
		"another.yaml", "params: {k: 1}\nblocks: {amplifier: {type: rig.Gain, thread: main, params: {gain: '${k}'}}}\n")
	path, over := filepath.Join(dir, "x.yaml"), filepath.Join(dir, "over.yaml")
	for _, c := range []struct {
		options       system.Options
		height, speed float64
		last          string
	}{
		{system.Options{}, 2, 3, "other.gain"},
		{system.Options{Overlays: []string{over}}, 2, 7, "other.amplifier"},
		{system.Options{Overlays: []string{over}, Params: []string{"speed=8", "height=1"}}, 1, 8, "other.amplifier"},
		{system.Options{Params: []string{"speed=8", "inline.gain.gain=8"}}, 2, 8, "other.gain"},
	} {
		s := load(t, path, c.options)
		if got := find[Wave](t, s, "wave").Amplitude.Value(); got != c.height {
			t.Errorf("%+v: height %v", c.options, got)
		}
		for _, name := range []string{"inline.gain", c.last} {
			if got := find[Gain](t, s, name).Gain.Value(); got != c.speed {
				t.Errorf("%+v: speed of %s is %v", c.options, name, got)
			}
		}
	}
}

func TestUnknownParametersOfTheSystemAreErrors(t *testing.T) {
	dir := write(t, "x.yaml", strings.Replace(withParams, `"${height}"`, `"${heigt}"`, 1),
		"other.yaml", "params: {k: 1}\nblocks: {gain: {type: rig.Gain, thread: main}}\n")
	_, err := system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: registry()})
	if want := `x.yaml:5:46: ${heigt}: the system has no such parameter; did you mean "height"?`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, expected %q", err, want)
	}
	_, err = system.Load(filepath.Join(dir, "x.yaml"), system.Options{Registry: registry(), Params: []string{"sped=1"}})
	if want := `--param sped=1: the system has no parameter "sped" (one of a block is block.sped); did you mean "speed"?`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, expected %q", err, want)
	}
}

// In a file that stands alone a parameter may wait for its use, and so may one of a group; one that only an overlay has is an error: see
// testdata/bad/unused-params.yaml.
func TestNoticesNameParametersThatNothingUses(t *testing.T) {
	dir := write(t, "x.yaml", strings.NewReplacer("speed: 3}", "speed: 3, spare: text}", "inline: {", "inline: {params: {gane: 1}, ").Replace(withParams),
		"other.yaml", "params: {k: 1, of_an_interface: 2}\nblocks: {gain: {type: rig.Gain, thread: main, params: {gain: '${k}'}}}\n")
	path := filepath.Join(dir, "x.yaml")
	want := []string{
		path + `:2:31: nothing uses parameter "spare" of the system: remove it, or use it as ${spare}`,
		path + `:7:21: nothing uses parameter "gane" of the group "inline": remove it, or use it as ${gane}`,
	}
	if got := noticesOf(load(t, path, system.Options{})); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNoticesNameThreadsWithoutBlocks(t *testing.T) {
	dir := write(t, "over.yaml", "threads: {mian: {period: 1ms}}\n",
		"x.yaml", "system: x\nthreads: {main: {period: 1ms}}\nblocks: {wave: {type: rig.Wave, thread: main}}\n")
	over := filepath.Join(dir, "over.yaml")
	want := []string{over + `:1:11: thread "mian" has no blocks and executes nothing: did you mean "main"?`}
	if got := noticesOf(load(t, filepath.Join(dir, "x.yaml"), system.Options{Overlays: []string{over}})); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNoticesNameHostsWithoutProcesses(t *testing.T) {
	dir := write(t, "x.yaml", `system: x
threads: {main: {period: 1ms}}
blocks: {wave: {type: rig.Wave, thread: main}}
deploy:
  hosts: {here: local, arm: {ssh: robot@arm}, base: {ssh: robot@base}}
  processes: {waves: {host: base, threads: [main]}}
`)
	path := filepath.Join(dir, "x.yaml")
	want := []string{path + `:5:24: no process runs on host "arm": give one host: arm, or remove the host`}
	if got := noticesOf(load(t, path, system.Options{})); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// noticesOf returns the notices about a system as texts.
func noticesOf(s *system.System) (list []string) {
	for _, n := range s.Net.Notices {
		list = append(list, n.String())
	}
	return list
}
