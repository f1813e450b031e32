package seeing

import (
	"fmt"

	"github.com/sinew-robotics/sinew/robot/geometry"
	"github.com/sinew-robotics/sinew/robot/scene"
)

// Snapshots turns a map into scenes again and again without allocation: a ring of scenes, each with a cloud of its own. Engines of each scene
// are made once, for example for each of Scenes.
type Snapshots struct {
	m      *Map
	scenes []*scene.Scene
	clouds []*geometry.CloudBuffer
	next   int
}

// NewSnapshots returns a ring of n scenes (≥ 1): base with an object of this name, which has what the map has seen. It fails for a name in use.
func NewSnapshots(m *Map, base *scene.Scene, name string, n int) (*Snapshots, error) {
	if n < 1 {
		return nil, fmt.Errorf("make snapshots of seen obstacles: a ring of %d scenes: want at least 1", n)
	}
	s := &Snapshots{m: m}
	for range n {
		cloud, err := geometry.NewCloudBuffer(m.Region())
		if err != nil {
			return nil, err
		}
		with, err := base.Add(scene.Object{Name: name, Parts: []geometry.Part{{Shape: cloud.Shape()}}})
		if err != nil {
			return nil, err
		}
		s.clouds, s.scenes = append(s.clouds, cloud), append(s.scenes, with)
	}
	return s, nil
}

// Scenes returns all scenes of the ring, for their engines. The caller must not change the slice.
func (s *Snapshots) Scenes() []*scene.Scene { return s.scenes }

// Next returns the index of a scene with what the map has seen up to now. That scene does not change until Next has been called n times more, so
// other goroutines may plan in it until then.
func (s *Snapshots) Next() (int, error) {
	i := s.next
	s.next = (i + 1) % len(s.scenes)
	return i, s.m.Fill(s.clouds[i])
}
