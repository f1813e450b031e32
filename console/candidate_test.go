package console_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sinew-robotics/sinew/net/admin"
)

// TestViewersHaveNothingChecked: a check and a type with parameters run code of blocks.
func TestViewersHaveNothingChecked(t *testing.T) {
	local, _ := runFile(t, testFile)
	p := open(t, local, withBlocks).page(aToken + " ann")
	p.refuse("net.check", m{"system": "test", "text": "system: test\n"}, "tune")
	p.refuse("types", m{"system": "test", "type": "console_test.source", "params": m{"gain": 2}}, "tune")
}

// pagesOf is a checker that notes the pages in whose names it is asked.
type pagesOf struct {
	admin.LocalChecker
	pages chan string
}

func (c pagesOf) Ask(ctx context.Context, q admin.Question) (admin.Verdict, error) {
	actor, _ := admin.ActorOf(ctx)
	c.pages <- actor.Page
	return c.LocalChecker.Ask(ctx, q)
}

// A newer check of a page replaces an earlier one of the same page, so the check of a save names none.
func TestChecksNameTheirPageAndSavesDoNot(t *testing.T) {
	local, _ := runFile(t, testFile)
	asked := pagesOf{admin.LocalChecker{Registry: testBlocks}, make(chan string, 1)}
	local.CheckWith(asked)
	r := open(t, local)
	check := func() string {
		r.page("").want("net.check", m{"system": "test", "text": testFile})
		return <-asked.pages
	}
	if one, two := check(), check(); one == "" || two == "" || one == two {
		t.Errorf("checks of two pages name the pages %q and %q", one, two)
	}
	r.page("").want("net.put", m{"system": "test", "text": strings.Replace(testFile, "gain: 2", "gain: 3", 1)})
	if page := <-asked.pages; page != "" {
		t.Errorf("the check of a save names the page %q", page)
	}
}
