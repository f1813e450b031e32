package robots

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sinew-robotics/sinew/robot/multibody"
)

// The elements of the files in bench/robots, whose links have no shapes.
var (
	linkElement  = regexp.MustCompile(`(?s)<link name="([^"]*)"\s*(?:/>|>.*?</link>)`)
	jointElement = regexp.MustCompile(`(?s)<joint name="([^"]*)".*?</joint>`)
	parentLink   = regexp.MustCompile(`<parent link="([^"]*)"`)
	childLink    = regexp.MustCompile(`<child link="([^"]*)"`)
)

// ForLibrary writes the robot into dir for the Robotics Library and returns two paths: of the whole robot, and of the chain from its base
// to the tool alone, since the library computes the Jacobian of all ends of a tree together. Links without inertia get zeros, because
// the library takes a mass and moments of one for what is missing.
func (r Robot) ForLibrary(dir string) (whole, chain string, err error) {
	text, err := r.withBase()
	if err != nil {
		return "", "", err
	}
	text = linkElement.ReplaceAllStringFunc(text, func(link string) string {
		if strings.Contains(link, "<inertial>") {
			return link
		}
		return `<link name="` + linkElement.FindStringSubmatch(link)[1] +
			`"><inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>`
	})
	whole, chain = filepath.Join(dir, "rl-"+r.File), filepath.Join(dir, "rl-chain-"+r.File)
	if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
		return "", "", err
	}
	return whole, chain, os.WriteFile(chain, []byte(chainTo(text, r.Tool)), 0o600)
}

// chainTo returns the robot with the links from its base to the tool only.
func chainTo(text, tool string) string {
	above := map[string]string{} // parent by child
	for _, joint := range jointElement.FindAllString(text, -1) {
		above[childLink.FindStringSubmatch(joint)[1]] = parentLink.FindStringSubmatch(joint)[1]
	}
	kept := map[string]bool{tool: true}
	for link, ok := above[tool]; ok; link, ok = above[link] {
		kept[link] = true
	}
	text = jointElement.ReplaceAllStringFunc(text, func(joint string) string {
		if kept[childLink.FindStringSubmatch(joint)[1]] {
			return joint
		}
		return ""
	})
	return linkElement.ReplaceAllStringFunc(text, func(link string) string {
		if kept[linkElement.FindStringSubmatch(link)[1]] {
			return link
		}
		return ""
	})
}

// agreement is the greatest difference of results, of the greater of one and the result.
const agreement = 1e-8

// Agrees returns an error if the results of bench/peers/rlmdl.cpp for the state that it describes are not those of the model: joint forces
// "tau.JOINT", accelerations "a.JOINT" and diagonal elements "M.JOINT" of the mass matrix.
func Agrees(m *multibody.Model, results map[string]float64) error {
	d, n := multibody.NewData(m), m.NV()
	q, v, x := make([]float64, m.NQ()), make([]float64, n), make([]float64, n)
	joints := slices.DeleteFunc(m.Joints(), func(j multibody.ModelJoint) bool { return j.Type.NV() != 1 })
	slices.SortFunc(joints, func(a, b multibody.ModelJoint) int { return strings.Compare(a.Name, b.Name) })
	for _, j := range m.Joints() {
		if j.Type == multibody.Floating {
			q[j.Q+6] = 1
		}
	}
	for k, j := range joints {
		value := math.Sin(float64(k + 1))
		q[j.Q], v[j.V], x[j.V] = value, value, value
	}
	tau, a, M := make([]float64, n), make([]float64, n), make([]float64, n*n)
	multibody.RNEA(d, q, v, x, tau)
	multibody.ABA(d, q, v, x, a)
	multibody.CRBA(d, q, M)
	for _, j := range joints {
		for name, want := range map[string]float64{"tau." + j.Name: tau[j.V], "a." + j.Name: a[j.V], "M." + j.Name: M[j.V*n+j.V]} {
			got, ok := results[name]
			if !ok || math.Abs(got-want) > agreement*max(1, math.Abs(want)) {
				return fmt.Errorf("the Robotics Library's %s is %g, sinew's %g: they have different robots", name, got, want)
			}
		}
	}
	return nil
}
