package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/system"
)

// needForTexts rejects new texts of a system's files that change what only an owner may change.
func (f *Files) needForTexts(r Caller, name string, old, now map[string][]byte) error {
	if r.Has(request.Own) {
		return nil
	}
	files := f.systems.Files(name)
	read := func(texts map[string][]byte) []system.Privilege {
		o := files.Options
		o.Texts, o.Candidate = texts, true
		return system.Privileges(files.Path, o)
	}
	changes := system.PrivilegeChanges(read(old), read(now))
	if len(changes) == 0 {
		return nil
	}
	words := make([]string, len(changes))
	for i, change := range changes {
		words[i] = change.String()
	}
	return r.Need(request.Own, fmt.Sprintf("save %s: a change of %s", name, strings.Join(words, ", ")))
}

// needForFile rejects a file that does not exist yet, and one whose link leads out of its folder. action is what would be done,
// such as "write panel x".
func needForFile(r Caller, action, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r.Need(request.Own, action+": a new file")
	case err != nil:
		return fmt.Errorf("%s: %w", action, err)
	case info.Mode()&fs.ModeSymlink == 0:
		return nil
	}
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		var dir string
		if dir, err = filepath.EvalSymlinks(filepath.Dir(path)); err == nil && filepath.Dir(target) == dir {
			return nil
		}
	}
	return r.Need(request.Own, action+": a file outside its folder, to which its link leads,")
}
