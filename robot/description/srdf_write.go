package description

import (
	"bufio"
	"fmt"
	"io"
)

// WritePairs writes the SRDF file of a robot with nothing in it but pairs of links that need no collision check. [ReadSRDF] reads them back.
func WritePairs(w io.Writer, robot string, pairs []LinkPair) error {
	u := urdfWriter{out: bufio.NewWriter(w)}
	u.out.WriteString("<?xml version=\"1.0\"?>\n")
	u.open("robot", "name", robot)
	for _, p := range pairs {
		attributes := []string{"link1", p.Link1, "link2", p.Link2}
		if p.Reason != "" {
			attributes = append(attributes, "reason", p.Reason)
		}
		u.empty("disable_collisions", attributes...)
	}
	u.close("robot")
	if err := u.out.Flush(); err != nil {
		return fmt.Errorf("write pairs of links of robot %q as SRDF: %w", robot, err)
	}
	return nil
}
