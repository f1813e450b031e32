// Package seeing turns what a depth camera or a laser scanner measures into obstacles of a scene.
//
// A [Map] remembers in which cubes of a box something was seen. [SeeDepth] and [SeeScan] take a measurement and the pose of the sensor:
//
//   - A cube through which rays pass to something behind it is free again.
//   - A cube in which a point lies is occupied from then on.
//   - A cube that has not been seen for a time is forgotten.
//   - Depths of the robot itself occupy no cube: [SelfFilter] cuts it out by the shapes of its links and of what it carries, larger by a padding. A cube
//     that was occupied before the robot came near stays so, so that a robot does not push obstacles away by its padding.
//
// [Map.Fill] writes the occupied cubes, as balls around them, into the shape of a cloud; [Snapshots] makes immutable scenes of it for planners and
// monitors, and [Map.Field] a distance field. After the first measurements nothing allocates.
//
// # Conventions
//
// The frame of a camera has z along the optical axis, x to the right and y down in the image; depths are measured along z, not along the ray. The
// middle of the pixel in column u and row v is at (u, v). A scanner measures in its x-y plane, angles from x towards y. A depth that is
// not a number, 0 or negative is invalid and changes nothing; plus infinity means that nothing is within range (REP 117 of ROS).
//
// # Limits
//
// A cube is all that is remembered of what is in it: the ball around it reaches up to a diagonal beyond what was seen, 1.74 edges. And what no sensor has seen is free. A thing thinner than the distance between
// two pixels may be missed. Noise of the sensor is not modelled: points at the edges of things, between near and far, become obstacles until a ray
// passes through them.
package seeing
