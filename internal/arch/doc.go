// Package arch checks that the code matches ARCHITECTURE.md: it parses the tables of that page and the sources of the
// module, and lists every difference. Its test runs over the repository itself.
package arch
