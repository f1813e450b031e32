// Package notices holds the licences of third-party software in the command and its web console. Most of these
// licences require that their text accompanies every copy, so it is part of the command: sinew licences prints it.
//
// Its test compares the list with the software that the command links, and fails if a module is missing or a licence
// has changed or is not accepted. go test ./cli/notices -update rewrites the list; it needs the modules, and the
// node_modules of console/ui for new packages there.
package notices

import _ "embed"

//go:embed third-party.md
var text string

// Text returns the list and the texts of the licences, as Markdown.
func Text() string { return text }
