package docs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

var image = regexp.MustCompile(`!\[[^\]]*\]\(([^)\s]+)\)`)

// TestPicturesShowTodaysFiles compares the files that each picture shows with those from which `make shots` made it.
func TestPicturesShowTodaysFiles(t *testing.T) {
	root := testkit.Root(t)
	text, err := os.ReadFile(filepath.Join(root, "docs/img/pictures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var made map[string]map[string]string
	if err := json.Unmarshal(text, &made); err != nil {
		t.Fatal(err)
	}
	var gallery map[string]map[string]string // of files in data
	if text, err = os.ReadFile(filepath.Join(root, "docs/img/gallery.json")); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &gallery); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for page, text := range pages(t, root) {
		for _, m := range image.FindAllStringSubmatch(text, -1) {
			file := path.Join(path.Dir(page), m[1])
			if used[path.Base(file)] = true; path.Dir(file) != "docs/img" || len(made[path.Base(file)])+len(gallery[path.Base(file)]) == 0 {
				t.Errorf("%s shows %s, which make shots does not make", page, file)
			}
		}
	}
	for picture, files := range made {
		if !used[picture] {
			t.Errorf("no page shows docs/img/%s", picture)
		}
		for file, digest := range files {
			text, err := os.ReadFile(filepath.Join(root, file))
			if err != nil {
				t.Errorf("docs/img/%s shows a missing file: %v", picture, err)
			} else if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != digest {
				t.Errorf("%s has changed since docs/img/%s was made: run make shots and look at the picture", file, picture)
			}
		}
	}
	const most = 60_000 // bytes of a picture of the gallery
	for picture := range gallery {
		if !used[picture] {
			t.Errorf("no page shows docs/img/%s", picture)
		}
		if info, err := os.Stat(filepath.Join(root, "docs/img", picture)); err != nil || info.Size() > most {
			t.Errorf("docs/img/%s is missing or has more than %d bytes: %v", picture, most, err)
		}
	}
	t.Run("gallery", func(t *testing.T) {
		data := testkit.SharedData(t)
		for picture, files := range gallery {
			for file, digest := range files {
				text, err := os.ReadFile(filepath.Join(data, file))
				if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != digest {
					t.Errorf("%s has changed since docs/img/%s was made, or is missing (%v): run make shots and look at the picture", file, picture, err)
				}
			}
		}
	})
}
