// Package files reads and writes what lies beside a system file, for the console's pages: the files of the system itself, tuned
// parameters, panels, layouts of nets and widgets.
//
//	page ──► text ──► check with all files of the system ──► role ──► write, unless the file has changed meanwhile
//
// Pages name files of a system only: the system file and those that it is made of, as in "net.get", and plain names in its folders panels and
// widgets. A layout is named by the file whose boxes it places. Saving needs the role of what it changes: see system.Privileges.
//
// Goroutines: none. [Files] is safe for concurrent use. Files are written whole or not at all, by one writer at a time, also of other
// processes.
//
// Limits: system files of 4 MiB; 1,000 panels of 256 KiB, 32 levels deep; layouts and widgets of 1 MiB; names of 80 bytes.
package files
