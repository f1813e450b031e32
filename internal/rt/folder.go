package rt

import (
	"os"
	"path/filepath"
	"strconv"
)

// UserFolder returns where the systems of this user keep their sockets, addresses and logs on this machine. It is not the
// folder of the user's session ($XDG_RUNTIME_DIR): that is removed when he logs out, and systems go on.
func UserFolder() string {
	return filepath.Join(os.TempDir(), "sinew-"+strconv.Itoa(os.Getuid()))
}
