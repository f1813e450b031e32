package block

import (
	"fmt"
	"reflect"
)

// fileTag marks constants that name text files which people edit with the system. Its value is their format, as "program".
const fileTag = "file"

// FileError is a mistake in a file that a block's Setup reads. Where Setup returns one, alone or joined with others, it is reported
// at its place in that file instead of that of the block.
type FileError struct {
	File         string // as the constant of the block names it
	Line, Column int    // from 1; 0: the whole file
	Err          error
}

// Error returns the error as "file:line:column: text".
func (e *FileError) Error() string { return e.Place(e.File) + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *FileError) Unwrap() error { return e.Err }

// Place returns the place of the mistake, as "file:line:column", in the file under another name.
func (e *FileError) Place(file string) string {
	if e.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, e.Line, e.Column)
}

// FileConstants returns the constants of a type with the tag file, which name text files that people edit with the system, with
// the format that the tag states: none for an unknown type.
func (r *Registry) FileConstants(typ string) map[string]string {
	e, ok := r.entries[typ]
	if !ok {
		return nil
	}
	formats := map[string]string{}
	for f := range fields(reflect.ValueOf(e.New()).Elem()) {
		if format, ok := f.Tag.Lookup(fileTag); ok {
			formats[nameOf(f)] = format
		}
	}
	return formats
}

// isTexts reports whether a type is a text or a list of texts.
func isTexts(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String
}
