// Package exact is the scene engine for all shapes: every query is answered on the shapes themselves, by package geometry.
//
//	tree of the bodies at rest ──► balls around bodies ──► balls around parts ──► shapes
//
// Each level leaves to the next one only what may be near enough. Bodies that move meet each other without the tree.
package exact
