package deploy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/system"
)

// upFolder returns where the supervisors of this user keep what they know, a folder for each system.
func upFolder() (string, error) {
	folder, err := private.Folder()
	if err != nil {
		return "", err
	}
	return private.Below(folder, "up")
}

// At returns the client of a system on this host, whether it is up or not. It fails if the system's folder is not private to
// this user.
func At(name string) (Client, error) {
	if err := system.CheckName(name); err != nil {
		return Client{}, err
	}
	up, err := upFolder()
	if err != nil {
		return Client{}, err
	}
	c := Client{Folder: filepath.Join(up, name)}
	if err := private.Check(c.Folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Client{}, err
	}
	return c, nil
}

// Systems returns the names of the systems that are up on this host, sorted: those with a folder and those with running
// processes.
func Systems() ([]string, error) {
	up, err := upFolder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(up)
	if err != nil {
		return nil, err
	}
	names := markedSystems(up)
	for _, e := range entries {
		if e.IsDir() && system.CheckName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
