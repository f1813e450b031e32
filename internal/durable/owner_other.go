//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package durable

import (
	"io/fs"
	"os"
)

// inode has no equivalent on this system: folders are named by their paths.
func inode(fs.FileInfo) string { return "" }

func keepOwner(*os.File, fs.FileInfo) {}

func syncFolder(string) error { return nil }
