// Package document reads XML files into trees whose elements, attributes and texts know their positions, and gathers what
// is wrong with them. It is the common base of package description, which makes robots of such trees, and of its package
// xacro, which expands them.
//
//   - [Read] and [Parse] return the tree of a file. Files are read through fs.FS alone; XML entities are not expanded,
//     external ones not fetched; size and depth are bounded.
//   - [Report] gathers problems while reading goes on, and gives them the nearest right name. [Report.Err] returns
//     [Problems]: file:line:column and what is wrong, in the order of the file.
//   - [Resources] finds the files that a document names.
package document
