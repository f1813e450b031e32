// Package arch keeps the code and ARCHITECTURE.md the same: it parses the tables of that page and the sources of the
// module, and lists every difference. Its test runs over the repository itself.
package arch
