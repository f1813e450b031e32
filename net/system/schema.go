package system

import (
	_ "embed"
	"slices"
)

//go:embed system.schema.json
var schemaText []byte

// Schema returns the JSON Schema (draft 2020-12) of the system file, for editors that complete and check during
// typing. Its definition "group" is that of a group's file, and "overlay" that of a file put over another. It knows no
// types of blocks: only [Load] can check whether the names in a file exist.
func Schema() []byte { return slices.Clone(schemaText) }
