package description

import (
	"maps"
	"strings"
)

// check reports what keeps the links and joints from being one tree.
func (robot *Robot) check(r *report) {
	if len(robot.Links) == 0 {
		r.Addf(robot.Position, "the robot has no link")
		return
	}
	sound := r.Count()
	links := robot.checkLinks(r)
	robot.checkNames(r)
	above := robot.checkEnds(links, r)
	if r.Count() == sound { // else the second root may be but the consequence of a wrong name
		robot.checkRoots(above, r)
	}
	robot.checkCircles(above, r)
}

// checkLinks returns the links by name and reports names that are given twice.
func (robot *Robot) checkLinks(r *report) map[string]int {
	links := make(map[string]int, len(robot.Links))
	for i := range robot.Links {
		l := &robot.Links[i]
		if first, twice := links[l.Name]; twice && l.Name != "" {
			r.Addf(l.Position, "link %q is defined twice; the first is at %s", l.Name, robot.Links[first].Position)
			continue
		}
		links[l.Name] = i
	}
	return links
}

// checkNames reports names of joints that are given twice.
func (robot *Robot) checkNames(r *report) {
	joints := robot.jointIndex()
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if first := joints[j.Name]; first != i && j.Name != "" {
			r.Addf(j.Position, "joint %q is defined twice; the first is at %s", j.Name, robot.Joints[first].Position)
		}
	}
}

// jointIndex returns the index of the first joint of each name.
func (robot *Robot) jointIndex() map[string]int {
	joints := make(map[string]int, len(robot.Joints))
	for i := range robot.Joints {
		if _, there := joints[robot.Joints[i].Name]; !there {
			joints[robot.Joints[i].Name] = i
		}
	}
	return joints
}

// checkEnds returns the joint above each link and reports joints whose ends are no links or that close a loop.
func (robot *Robot) checkEnds(links map[string]int, r *report) map[string]int {
	above := make(map[string]int, len(robot.Joints))
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if j.Parent != "" && index(links, j.Parent) < 0 {
			r.Addf(j.Position, "the parent %q of joint %q is no link%s", j.Parent, j.Name, r.DidYouMean(j.Parent, maps.Keys(links)))
		}
		if j.Child == "" {
			continue
		}
		if index(links, j.Child) < 0 {
			r.Addf(j.Position, "the child %q of joint %q is no link%s", j.Child, j.Name, r.DidYouMean(j.Child, maps.Keys(links)))
		}
		if first, twice := above[j.Child]; twice {
			r.Addf(j.Position, "link %q is the child of joint %q already, joint %q closes a loop: cut it there and close it by a constraint",
				j.Child, robot.Joints[first].Name, j.Name)
			continue
		}
		above[j.Child] = i
	}
	return above
}

// checkRoots reports links beside the first one that no joint moves.
func (robot *Robot) checkRoots(above map[string]int, r *report) {
	var root *Link
	for i := range robot.Links {
		l := &robot.Links[i]
		if _, moved := above[l.Name]; moved {
			continue
		}
		if root != nil {
			r.Addf(l.Position, "link %q is a second root beside %q: a joint must have it as its child", l.Name, root.Name)
			continue
		}
		root = l
	}
}

// checkCircles reports joints that hang on themselves.
func (robot *Robot) checkCircles(above map[string]int, r *report) {
	next := make([]int, len(robot.Joints))
	for i := range robot.Joints {
		next[i] = index(above, robot.Joints[i].Parent)
	}
	for _, c := range circles(next) {
		r.Addf(robot.Joints[c[0]].Position, "the joints %s form a circle: no link of it hangs on the root", robot.jointNames(c))
	}
}

// jointNames lists joints for a message.
func (robot *Robot) jointNames(joints []int) string {
	const most = 8
	var names []string
	for i, j := range joints {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, robot.Joints[j].Name)
	}
	return strings.Join(names, ", ")
}

// index returns the value of a name, -1 for a name that is not there.
func index(indices map[string]int, name string) int {
	if i, ok := indices[name]; ok {
		return i
	}
	return -1
}

// circles returns the circles of a graph in which i points to next[i], or nowhere if that is negative.
func circles(next []int) [][]int {
	var found [][]int
	visit := make([]int, len(next)) // the walk that came here first, from 1
	for start := range next {
		i := start
		for i >= 0 && visit[i] == 0 {
			visit[i] = start + 1
			i = next[i]
		}
		if i < 0 || visit[i] != start+1 {
			continue
		}
		circle := []int{i}
		for k := next[i]; k != i; k = next[k] {
			circle = append(circle, k)
		}
		found = append(found, circle)
	}
	return found
}
