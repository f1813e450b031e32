package admin_test

import (
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestLocalConforms(t *testing.T) { admintest.Run(t, admintest.Plant(t, "plant.source")) }

func TestLocalConformsAboutFiles(t *testing.T) {
	folder := admintest.Folder(t)
	admintest.RunFiles(t, folder, admintest.FromFiles(t, folder, ""))
}

func TestSystemWithoutFilesRejectsQuestionsAboutThem(t *testing.T) {
	s := admintest.Plant(t, "one")
	_, typesErr := s.Types(t.Context(), "", nil)
	_, checkErr := s.Check(t.Context(), nil)
	_, tunedErr := s.Tuned(t.Context())
	_, saveErr := s.SaveParams(t.Context(), nil)
	for _, err := range []error{typesErr, checkErr, tunedErr, saveErr} {
		if err == nil || !strings.Contains(err.Error(), "not made from a file") {
			t.Error(err)
		}
	}
}
