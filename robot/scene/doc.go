// Package scene holds bodies made of shapes: the links of robots, obstacles, and objects that a robot carries. An [Engine] answers where
// they touch and how far apart they are.
//
//   - A [Scene] is immutable. Each change returns a new scene, so a planner, a monitor and a page may read theirs while another one is
//     prepared.
//   - Package exact is the engine for all shapes, package spheres the fast one for robots whose links are spheres. Both pass the suite
//     of package scenetest.
//   - A pair of bodies is checked unless it cannot change or may touch: two bodies without a robot, two links that no joint moves against
//     each other, an attached object and the links that it touches, and pairs that [Model.Allowed] or [Scene.Allow] lists.
//     [FindAllowed] finds such pairs by sampling, for robots whose author lists none.
//
// # Conventions
//
// Metres and radians. A configuration is one vector: the coordinates of the models in the order in which [New] takes them. Names of bodies
// are unique in a scene: links have the prefix of their model before their name.
package scene
