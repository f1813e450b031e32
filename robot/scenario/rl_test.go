package scenario_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/description"
	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/scenario"
	"github.com/sinew-robotics/sinew/robot/scene/exact"
)

// TestRoboticsLibraryScenariosAreRead reads the library's scenarios: both ends are free, which its own programs check before they plan.
func TestRoboticsLibraryScenariosAreRead(t *testing.T) {
	root := testkit.SharedData(t, "rl")
	files, err := filepath.Glob(filepath.Join(root, "rlplan", "*.xml"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		s, err := scenario.ReadRL(os.DirFS(root), "rlplan/"+filepath.Base(file))
		if err != nil {
			t.Error(err)
			continue
		}
		maze := strings.HasPrefix(s.Name, "box")
		// the models of the maze differ from their files in the case of a letter
		if (len(s.Notes) == 1 && strings.Contains(s.Notes[0], "rlplan/"+filepath.Base(file)+":15:22: <kinematics> names \"../rlmdl/box-6d-300505.sixdof.xml\", the file is box-6d-300505.sixDof.xml")) != maze {
			t.Errorf("%s: notes %q", s.Name, s.Notes)
		}
		bodies, nq, obstacle := 8, 6, "boxes"
		if maze {
			bodies, nq, obstacle = 2, 7, "maze"
		}
		list := s.Scene.Bodies()
		if len(list) != bodies || s.Scene.NQ() != nq || list[len(list)-1].Name != obstacle {
			t.Errorf("%s: %d bodies, %d coordinates", s.Name, len(list), s.Scene.NQ())
		}
		if want := strings.Contains(s.Name, "prm"); (s.Planner == "prm") != want || (s.Planner == "rrt-con-con") == want {
			t.Errorf("%s: planner %q", s.Name, s.Planner)
		}
		testkit.Near(t, "resolution", s.Resolution, math.Pi/180, 1e-12)
		engine := exact.New(s.Scene)
		for _, q := range [][]float64{s.Start, s.Goal} {
			if pair, hit, err := engine.Collide(q); err != nil || hit {
				t.Errorf("%s: at %v: %v, %v", s.Name, q, pair, err)
			}
		}
	}
}

// TestScenesPlaceBodiesWhereTheKinematicsDoes compares the poses of the links in a scene's VRML file, which holds them at position zero, with the
// forward kinematics: two files of the library's authors.
func TestScenesPlaceBodiesWhereTheKinematicsDoes(t *testing.T) {
	root := os.DirFS(testkit.SharedData(t, "rl"))
	s, err := scenario.ReadScene(root, "rlsg/unimation-puma560_boxes.convex.xml")
	if err != nil {
		t.Fatal(err)
	}
	robot, err := description.ReadRL(root, "rlkin/unimation-puma560.xml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := robot.Model()
	if err != nil {
		t.Fatal(err)
	}
	d := multibody.NewData(m)
	multibody.FK(d, make([]float64, m.NQ()))
	for i, b := range s.Models[0].Bodies {
		link, err := m.Link(robot.Bodies[i])
		if err != nil {
			t.Fatal(err)
		}
		got := d.Pose(link)
		if off := got.P.Sub(b.Pose.P).Norm(); off > 5e-4 { // the file has four digits
			t.Errorf("%s is at %v, in the scene at %v", b.Name, got.P, b.Pose.P)
		}
		for r := range 3 {
			for c := range 3 {
				if math.Abs(got.R[r][c]-b.Pose.R[r][c]) > 1e-5 {
					t.Errorf("%s is turned by %v, in the scene by %v", b.Name, got.R, b.Pose.R)
				}
			}
		}
	}
}

// rlFiles is a small scenario: a slider among two boxes.
func rlFiles() fstest.MapFS {
	return fstest.MapFS{
		"plan.xml": {Data: []byte(`<rlplan>
<rrtConCon>
<duration>2</duration>
<goal><q>1</q></goal>
<model><kinematics href="slider.xml"><world><translation><z>1</z></translation></world></kinematics><model>0</model><scene href="scene.xml"/></model>
<start><q>-1</q></start>
<delta unit="deg">1</delta>
</rrtConCon>
</rlplan>`)},
		"slider.xml": {Data: []byte(`<rlkin><kinematics><world id="world"><translation><z>5</z></translation></world><link id="cart"><ignore/></link><link id="rail"/>
<transform id="base"><frame><a idref="world"/><b idref="rail"/></frame></transform>
<prismatic id="slide"><frame><a idref="rail"/><b idref="cart"/></frame><dh><d>0</d><theta>0</theta><a>0</a><alpha>0</alpha></dh><max>2</max><min>-2</min></prismatic></kinematics></rlkin>`)},
		"scene.xml": {Data: []byte(`<rlsg><scene href="scene.wrl"><model name="robot"><body name="cart"/></model><model name="room"><body name="floor"/><body name="wall"/></model></scene></rlsg>`)},
		"scene.wrl": {Data: []byte(`#VRML V2.0 utf8
DEF robot Group { children DEF cart Transform { translation 9 9 9 children Shape { geometry Box { size 1 1 1 } } } }
DEF room Group { children [ DEF floor Transform { translation 0 0 -0.5 children Shape { geometry Box { size 9 9 1 } } }
 DEF wall Shape { geometry Box { size 0.1 9 0.2 } } ] }`)},
	}
}

func TestScenarioMovesTheWorldAndIgnoresObstacles(t *testing.T) {
	s, err := scenario.ReadRL(rlFiles(), "plan.xml")
	if err != nil {
		t.Fatal(err)
	}
	if base := s.Scene.Models()[0].Base.P.Z; base != -4 {
		t.Errorf("the base is moved by %g, want from 5 to 1", base)
	}
	if s.Duration.Seconds() != 2 || len(s.Joints) != 1 || s.Start[0] != -1 || s.Goal[0] != 1 || s.Name != "plan" {
		t.Errorf("%+v", s)
	}
	if pair, hit, err := exact.New(s.Scene).Collide([]float64{-1}); hit || err != nil {
		t.Errorf("an ignored link touches: %v, %v", pair, err)
	}
	files := rlFiles()
	files["plan.xml"].Data = []byte(strings.Replace(string(files["plan.xml"].Data), "slider.xml", "Slider.XML", 1))
	if s, err = scenario.ReadRL(files, "plan.xml"); err != nil || len(s.Notes) != 1 || s.Notes[0] != `plan.xml:5:26: <kinematics> names "Slider.XML", the file is slider.xml: correct the case of its letters` {
		t.Errorf("a name in another case: %v, %v", s, err)
	}
	files = rlFiles()
	files["slider.xml"].Data = []byte(strings.Replace(string(files["slider.xml"].Data), "<ignore/>", "", 1))
	if s, err = scenario.ReadRL(files, "plan.xml"); err != nil {
		t.Fatal(err)
	}
	if pair, hit, err := exact.New(s.Scene).Collide([]float64{-1}); !hit || err != nil || pair.B != "room/floor" {
		t.Errorf("%v, %t, %v", pair, hit, err)
	}
}

// TestScenarioOfAnExploringTreeIsRead reads all elements that the library's schema has for this planner.
func TestScenarioOfAnExploringTreeIsRead(t *testing.T) {
	files := rlFiles()
	end := func(at string) string {
		return "<start><" + at + "><tcp/></" + at + "></start><goal><goal><frame>1</frame></goal></goal>"
	}
	files["plan.xml"].Data = []byte(strings.NewReplacer("rrtConCon", "eet", "</delta>", `</delta><epsilon>1e-9</epsilon><gnatNearestNeighbors/><uniformSampler/>
<alpha>0.01</alpha><alternativeDistanceComputation/><beta>0</beta><distanceWeight>0.1</distanceWeight>
<explorer><boundingBox><max><x>2</x></max></boundingBox><distance/><radius>0.025</radius><range>45</range><samples>100</samples><seed>1</seed>`+end("start")+`</explorer>
<explorer><space/>`+end("goal")+`</explorer>
<gamma>0.33</gamma><goalEpsilon orientation="true">0.1</goalEpsilon><max><x>30</x></max><min><x>0</x></min>`).Replace(string(files["plan.xml"].Data)))
	s, err := scenario.ReadRL(files, "plan.xml")
	if err != nil || s.Planner != "eet" || len(s.Notes) != 3 || !strings.Contains(s.Notes[1], "<explorer> is not used") || s.Start[0] != -1 || s.Goal[0] != 1 || s.Resolution != math.Pi/180 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestBrokenScenariosAreRefusedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, file, from, to, want string }{
		{"no planner", "plan.xml", "rrtConCon>", "x>", "plan.xml:2:1"}, // checked below: the name is the caller's to judge
		{"missing kinematics", "plan.xml", "slider.xml", "slide.xml", `plan.xml:5:26: <kinematics> names "slide.xml": there is no file slide.xml`},
		{"missing scene", "plan.xml", `"scene.xml"`, `"scen.xml"`, `<scene> names "scen.xml": there is no file scen.xml`},
		{"too many values", "plan.xml", "<goal><q>1</q>", "<goal><q>1</q><q>1</q>", "plan.xml:4:1: <goal> has 2 values <q>"},
		{"not a number", "plan.xml", "<q>-1</q>", "<q>a</q>", `plan.xml:6:8: <q> is "a"`},
		{"unit", "plan.xml", `unit="deg"`, `unit="grad"`, `has the unit "grad"`},
		{"unknown part", "plan.xml", "</delta>", "</delta><viewers/>", `<viewers> is no part of a planner that is read; did you mean "viewer"?`},
		{"no such model", "plan.xml", "<model>0</model>", "<model>2</model>", `<model> is "2": the scene has 2 models`},
		{"no such node", "scene.xml", `name="cart"`, `name="card"`, `scene.xml:1:51: <body>: scene.wrl: find robot/card: no node has the name "card"; there are cart`},
		{"missing VRML", "scene.xml", "scene.wrl", "scen.wrl", `scene.xml:1:7: <scene> names "scen.wrl"`},
		{"broken VRML", "scene.wrl", "Box { size 1 1 1 }", "Bix { }", "scene.wrl:2:93: Bix: it is no geometry"},
		{"too many bodies", "scene.xml", `<body name="cart"/>`, `<body name="cart"/><body name="cart"/><body name="cart"/>`, "has 3 bodies, the kinematics 2"},
	} {
		files := rlFiles()
		text := string(files[c.file].Data)
		if files[c.file].Data = []byte(strings.ReplaceAll(text, c.from, c.to)); string(files[c.file].Data) == text {
			t.Fatalf("%s changes nothing", c.name)
		}
		s, err := scenario.ReadRL(files, "plan.xml")
		if c.name == "no planner" {
			if err != nil || s.Planner != "x" {
				t.Errorf("%v, %v", s, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}

// FuzzReadRL changes the scenario and its scene.
func FuzzReadRL(f *testing.F) {
	files := rlFiles()
	f.Add(files["plan.xml"].Data, files["scene.xml"].Data)
	f.Fuzz(func(t *testing.T, plan, sg []byte) {
		files := rlFiles()
		files["plan.xml"].Data, files["scene.xml"].Data = plan, sg
		if s, err := scenario.ReadRL(files, "plan.xml"); err == nil && len(s.Start) != s.Scene.NQ() {
			t.Error("a scenario without a start")
		}
	})
}
