// Package row contains a system of forty joints in few lines: ranges repeat its blocks and links. The test runs it.
package row
