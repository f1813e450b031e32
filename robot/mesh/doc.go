// Package mesh reads surfaces and point clouds from files.
//
//   - [Read] reads a surface of triangles: STL, OBJ, PLY, COLLADA and glTF, recognized by the name's extension.
//   - [ReadVRML] reads a VRML97 scene: named nodes with the shapes below them.
//   - [ReadCloud] reads the points of a PCD or PLY file.
//   - [Surface.Check] counts what is wrong with a surface: holes, edges of more than two triangles, sides that are turned inside out.
//   - [Surface.Shape] makes a shape of it for package geometry.
//
// # Units and axes
//
// The result is in metres with the z axis up. A COLLADA file states its unit and its upward axis, and glTF is in metres with y up; both are
// converted, so y of such a file becomes z. STL, OBJ, PLY and PCD state neither: their numbers are taken as they are, and a scale is the caller's.
//
// # Errors
//
// A reader stops at the first thing that is wrong. Its error names the file and the place in it: file:line:column of a text, the byte of
// binary data. A file without triangles, a coordinate that is not finite or beyond [geometry.Limit], an index of no point, a truncated file, and a feature that
// would change the surface but is not read are errors. Elements that do not change the surface, such as lines, colours and normals, are left out; the notes of
// the surface list what a user may miss. Files are read through fs.FS alone, and their size is bounded by [MaxFileSize] and [MaxTriangles].
package mesh
