// Package simplify replaces the collision geometry of a robot by simpler shapes around it: boxes, cylinders and balls, convex hulls, hulls of few
// corners, or spheres.
//
// [Simplify] reads the meshes of a description and returns another description, with the files of its hulls and a report of each link. Every vertex of a mesh
// is inside its shape. Hulls of few corners follow the rule of the bounding mesh (Gaschler, Fischer and Knoll 2015, "The Bounding Mesh Algorithm"),
// applied to convex hulls: hollows are filled.
package simplify
