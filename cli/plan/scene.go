package plan

import "github.com/sinew-robotics/sinew/robot/scene"

// Scene returns a robot with obstacles, as the verb reads them from the files of its argument, --srdf and --scene, and what the user should know about them. Without an SRDF file ("")
// the pairs of links that need no check are found by samples.
func Scene(robot, srdf, obstacles string) (world *scene.Scene, notes []string, err error) {
	r, err := readRobot(robot, srdf, "")
	if err != nil {
		return nil, nil, err
	}
	notes = r.notes
	if obstacles != "" {
		more, err := r.addObstacles(ends{scene: obstacles, radius: pointRadius})
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, more...)
	}
	return r.scene, notes, nil
}
