// Package share writes one HTML page of a span of a system's time: its robots as they moved, plots, notes and events. The page opens from a file,
// without a server and without a network.
//
//	log ──────────────► FromLog ─┐
//	history of a system ─────────┴─► Run ──► Write ──► page.html + contents
//
// The page itself is built from the console's components (console/ui/src/share) and embedded here; Write puts the contents of a [Run] into
// it: a header as JSON, then numbers and files as bytes, all compressed and in base64, so that no text of a run is markup.
//
// Goroutines: none.
//
// Limits: contents of at most 64 MB before compression; at most 64 notes.
package share
