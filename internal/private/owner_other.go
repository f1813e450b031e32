//go:build !unix

package private

import "io/fs"

// noFollow has no equivalent on this system.
const noFollow = 0

// ownerOf does nothing: this system has no owners of this kind.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
