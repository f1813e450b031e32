package description

import "github.com/sinew-robotics/sinew/robot/description/document"

// Position is a place in a file: the name of the file, and line and column, which count from 1.
type Position = document.Position

// Problem is one thing that is wrong with a file, at its position.
type Problem = document.Problem

// Problems is everything that is wrong with a file: the error that the readers of this package return. Find it with
// errors.As.
type Problems = document.Problems

// Resources finds the files that a description names.
type Resources = document.Resources

const (
	// MaxFileSize is the largest file that the readers accept, in bytes.
	MaxFileSize = document.MaxFileSize
	// MaxDepth is the deepest nesting of XML elements that the readers accept.
	MaxDepth = document.MaxDepth
)
