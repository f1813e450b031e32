package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sinew-robotics/sinew/console/coach"
	"github.com/sinew-robotics/sinew/internal/testkit"
)

// coachedFiles are a scene with a robot and two boxes, and the kinematics of the robot.
func coachedFiles(t *testing.T) (scene, kinematics string) {
	t.Helper()
	dir := t.TempDir()
	box := "Transform { children [ Shape { geometry Box { size 0.1 0.1 0.1 } } ] }"
	body := func(name string) string { return fmt.Sprintf("DEF %s Transform { children [ %s ] }", name, box) }
	for name, text := range map[string]string{
		"scene.wrl": "#VRML V2.0 utf8\n" +
			"DEF arm Transform { children [ " + body("link0") + body("link1") + body("link2") + " ] }\n" +
			"DEF boxes Transform { children [ " + body("low") + body("high") + " ] }\n",
		"scene.xml": `<rlsg><scene href="scene.wrl"><model name="arm"><body name="link0"/><body name="link1"/><body name="link2"/></model>
<model name="boxes"><body name="low"/><body name="high"/></model></scene></rlsg>`,
		"arm.xml": `<rlmdl><model><manufacturer/><name>arm</name><world id="world"/><body id="link0"/><body id="link1"/><body id="link2"/>
<fixed id="foot"><frame><a idref="world"/><b idref="link0"/></frame></fixed>
<revolute id="shoulder"><frame><a idref="link0"/><b idref="link1"/></frame><axis><x>0</x><y>0</y><z>1</z></axis><max>180</max><min>-180</min><offset>0</offset><speed>90</speed></revolute>
<revolute id="elbow"><frame><a idref="link1"/><b idref="link2"/></frame><axis><x>0</x><y>0</y><z>1</z></axis><max>180</max><min>-180</min><offset>0</offset><speed>90</speed></revolute>
</model></rlmdl>`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "scene.xml"), filepath.Join(dir, "arm.xml")
}

// printed is output that a test reads while it is written.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *printed) has(s string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Contains(p.text.String(), s)
}

// startCoach opens the port for the files of the test.
func startCoach(t *testing.T) (*coach.Coach, *printed) {
	t.Helper()
	scene, kinematics := coachedFiles(t)
	out := &printed{}
	c, err := openCoach(scene, []string{kinematics}, "127.0.0.1:0", out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, out
}

// The lines and their numbers are those of the Robotics Library's demos/rlCoachMdl/Socket.cpp: models and bodies of the scene's file, kinematics in the order
// of the arguments, and 6 repeats what it does not know.
func TestCoachWithoutASystemAnswersAsTheFilesCount(t *testing.T) {
	c, out := startCoach(t)
	conn, err := net.Dial("tcp", c.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(testkit.Patience()))
	lines := bufio.NewReader(conn)
	ask := func(send, want string) {
		t.Helper()
		fmt.Fprint(conn, send)
		if got, err := lines.ReadString('\n'); got != want+"\n" {
			t.Errorf("%q is answered %q (%v), expected %q", send, got, err, want)
		}
	}
	ask("6 0\n", "6 0 0 0")
	ask("2 0 0.5 -0.25\n6 0\n", "6 0 0.5 -0.25")
	ask("2 0 1 2 3\n6 0\n", "6 0 0.5 -0.25") // too many joints
	ask("2 1 1\n6 1\n", "6 1")               // boxes have none
	ask("6 2\n", "6 2")                      // there is no third model
	ask("0 1 1 1 2 3 0 0 0\n6\n", "6")
	ask("0 1 2 1 2 3 0 0 0\n6\n", "6") // nor a third box
	ask("5 0 1 1\n", "")               // without a simulator
	for _, want := range []string{
		`{"robot":0,"name":"arm","joints":["shoulder","elbow"],"links":["link0","link1","link2"]}`,
		`{"robot":1,"name":"boxes","joints":[],"links":["low","high"]}`,
		`{"system":"scene","robot":"arm","q":[0.5,-0.25]}`,
		`{"system":"scene","robot":"boxes","link":"high","frame":{"p":[1,2,3],"q":[0,0,0,1]}}`,
	} {
		testkit.Await(t, want, func() bool { return out.has(want) })
	}
}

func TestCoachRejectsFilesThatDoNotBelongTogether(t *testing.T) {
	scene, kinematics := coachedFiles(t)
	for want, args := range map[string][]string{
		"3 files of kinematics for the 2 models": {scene, kinematics, kinematics, kinematics},
		"cannot open":                            {"none.xml"},
		"rlmdl":                                  {kinematics}, // no scene
		"scene.xml:1:1":                          {scene, scene},
		"must be on loopback":                    {scene, kinematics, ""},
	} {
		address := "127.0.0.1:0"
		if args[len(args)-1] == "" {
			address, args = "192.0.2.1:0", args[:len(args)-1]
		}
		c, err := openCoach(args[0], args[1:], address, io.Discard, io.Discard)
		if err == nil {
			t.Errorf("%v: opened", args)
			_ = c.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, expected %q", args, err, want)
		}
	}
}

// The library's own class rl::hal::Coach, compiled from its source, sets and reads the positions.
func TestCoachWithoutASystemServesTheLibrarysClient(t *testing.T) {
	root := testkit.Root(t)
	source := filepath.Join(root, "bench/peers/rl/src")
	if _, err := os.Stat(source); err != nil {
		t.Skip("SKIPPED: the Robotics Library's source is absent; make bench-peers")
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "rl", "hal"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rl", "hal", "export.h"), []byte("#define RL_HAL_EXPORT\n#define RL_HAL_DEPRECATED\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(dir, "coach")
	args := []string{"-std=c++11", "-w", "-I", dir, "-I", source, "-I", "/usr/include/eigen3", "-o", client, filepath.Join(root, "bench/peers/coach.cpp")}
	if text, err := exec.Command("g++", args...).CombinedOutput(); err != nil {
		t.Fatalf("compile rl::hal::Coach: %v\n%s", err, text)
	}
	c, _ := startCoach(t)
	_, port, err := net.SplitHostPort(c.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(client, port, "50", "0", "0", "2").CombinedOutput()
	if err != nil || !bytes.Contains(text, []byte("answered 50\n")) || !bytes.Contains(text, []byte("ignored 50\n")) {
		t.Errorf("the client: %v\n%s", err, text)
	}
}
