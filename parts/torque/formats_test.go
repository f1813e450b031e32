package torque

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/diagram"
	"github.com/sinew-robotics/sinew/net/port"
	"github.com/sinew-robotics/sinew/net/system"
)

// moon is a model of the Robotics Library: 2 kg at 0.5 m from a joint about y, under the gravity of the moon.
const moon = `<rlmdl><model>
<world id="world"><g><z>1.62</z></g></world>
<body id="rod"><cm><x>0.5</x></cm><i><xx>0</xx><yy>0</yy><zz>0</zz></i><m>2</m></body>
<revolute id="joint1"><frame><a idref="world"/><b idref="rod"/></frame><axis><x>0</x><y>1</y><z>0</z></axis></revolute>
</model></rlmdl>`

func TestRobotsOfTheRoboticsLibraryFallAsTheirFilesSay(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "moon.xml"), []byte(moon), 0o600); err != nil {
		t.Fatal(err)
	}
	robot, model := &Robot{URDF: block.NewConst("moon.xml")}, &RobotModel{URDF: block.NewConst("moon.xml")}
	d := diagram.New("test")
	d.Thread(diagram.Thread{Name: "main", Period: period})
	given := port.Given{Files: system.Folder(folder)}
	d.Add("robot", robot, diagram.Place{Thread: "main", Given: given})
	d.Add("model", model, diagram.Place{Thread: "main", Given: given})
	d.Link("robot.position -> model.position")
	if _, err := d.Build(); err != nil {
		t.Fatal(err)
	}
	robot.Torque.Feed([]float64{0})
	for range 10 {
		if err := robot.Step(tick); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Near(t, "velocity after 0.1 s", robot.Velocity.Value()[0], 1.62/0.5*0.1, 0.01)
	model.Position.Feed([]float64{0})
	if err := model.Step(tick); err != nil {
		t.Fatal(err)
	}
	testkit.Near(t, "gravity", model.Gravity.Value()[0], -2*1.62*0.5, 1e-12)
}
