// Package robots answers what the console's pages ask of robots: which ones a system has, their descriptions and meshes, and their
// kinematics.
//
//	constants of blocks ──► description ──► model, solver, URDF      (read once for each block of a running system)
//	tags show of ports  ──► which ports hold joints, base, contacts  (looked up for each list)
//
// A robot is a block with a constant that names a description file. Ports and operations belong to it where their tag show names them:
// of the block itself, or of one whose links lead to it.
//
// Goroutines: none. [Robots] is safe for concurrent use; the kinematics of one robot are computed one at a time.
//
// Limits: files of at most 256 MiB are served, and only meshes that a description names, with the materials and textures in their
// folders.
package robots
