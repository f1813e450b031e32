// Package space has the spaces in which motions are planned, and samplers of them.
//
//   - [Joints] is the space of the joints of the robots of a scene, or of some of them while the others are held. Distances are Euclidean, rad and m
//     alike; a joint without limits that turns is a circle, on which the way is the shorter one.
//   - [Axes], [Rotations], [Dubins], [ReedsShepp] and [Product] know no robots: R^n × S1^m, RP3, the shortest paths of a car that drives only
//     forwards or both ways, and products of them, such as R3 × RP3 by [NewPoses].
//   - [Coordinates] ties such a space to joints of a scene.
//   - An [Embedding] makes points of such a space comparable many at once.
package space
