package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// ErrRefused is wrapped by errors about files and folders that exist but do not belong to this user alone.
var ErrRefused = errors.New("is not used")

// refuse returns the error for a file or folder that is not used: why, and what to do.
func refuse(path, why, do string) error {
	return fmt.Errorf("%s %w: %s; %s", path, ErrRefused, why, do)
}

// Check returns an error unless the folder is private: [fs.ErrNotExist] if it does not exist, [ErrRefused] if it is
// not private.
func Check(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(folder, "it is a symbolic link", "remove it")
	case !info.IsDir():
		return refuse(folder, "it is not a folder", "remove it")
	}
	if err := checkOwn(folder, info, "remove it, or as its owner or root: rm -r "+folder); err != nil {
		return err
	}
	return checkAbove(filepath.Dir(folder))
}

// checkOwn rejects files and folders that do not belong to this user alone.
func checkOwn(path string, info fs.FileInfo, do string) error {
	owner, known := ownerOf(info)
	switch {
	case !known:
		return nil
	case owner != os.Getuid():
		return refuse(path, fmt.Sprintf("it belongs to %s, not to %s", describe(owner), describe(os.Getuid())), do)
	case info.Mode().Perm()&0o077 != 0:
		return refuse(path, fmt.Sprintf("its mode %04o lets other users in", info.Mode().Perm()),
			"check its contents, then chmod go= "+path+", or remove it")
	}
	return nil
}

// checkAbove rejects a folder if another user can replace this user's files in it or in one above it.
func checkAbove(folder string) error {
	root, err := os.Stat("/")
	if err != nil {
		return nil // a system without such folders
	}
	machine, _ := ownerOf(root)
	for ; ; folder = filepath.Dir(folder) {
		info, err := os.Lstat(folder)
		if err != nil {
			return err
		}
		owner, known := ownerOf(info)
		if !known {
			return nil
		}
		if owner != os.Getuid() && owner != 0 && owner != machine {
			return refuse(folder, fmt.Sprintf("it belongs to %s: this user can replace files of %s in it", describe(owner), describe(os.Getuid())),
				"name a folder of your own with "+runtimeVariable+", or unset it")
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := filepath.EvalSymlinks(folder)
			if err == nil {
				err = checkAbove(target)
			}
			if err != nil {
				return err
			}
		case info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0:
			return refuse(folder, fmt.Sprintf("its mode %04o lets all users replace its contents", info.Mode().Perm()),
				"chmod o-w it, or name a folder of your own with "+runtimeVariable)
		}
		if folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// describe formats a user for messages.
func describe(uid int) string {
	if name := userName(uid); name != "" {
		return fmt.Sprintf("user %d (%s)", uid, name)
	}
	return fmt.Sprintf("user %d", uid)
}

// userName returns the name of a user, "" if it has none.
func userName(uid int) string {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return ""
	}
	return u.Username
}
