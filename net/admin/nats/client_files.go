package nats

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/request"
	"github.com/sinew-robotics/sinew/net/system"
)

// Types implements [System].
func (c *Client) Types(ctx context.Context, name string, params map[string]any) (list []admin.BlockType, err error) {
	m, err := c.reader(false)
	if err != nil {
		return nil, err
	}
	named, _ := admin.Finite(params).(map[string]any)
	err = c.ask(ctx, m, "types", typesRequest{Ref: name, Named: named}, &list)
	return list, err
}

// Check implements [System]. A process on this host does it: those of others have copies of the files.
func (c *Client) Check(ctx context.Context, texts map[string]string) (found admin.Findings, err error) {
	m, err := c.reader(true)
	if err != nil {
		return found, err
	}
	err = c.ask(ctx, m, "check", checkRequest{Texts: texts}, &found)
	return found, err
}

// Tuned implements [System].
func (c *Client) Tuned(ctx context.Context) (all []system.Change, err error) {
	var errs []error
	for _, m := range c.readers() {
		var some []system.Change
		errs = append(errs, c.ask(ctx, m, "tuned", request.None{}, &some))
		all = append(all, some...)
	}
	return all, errors.Join(errs...)
}

// SaveParams implements [System]. A process on this host does it.
func (c *Client) SaveParams(ctx context.Context, changes []system.Change) (files map[string]system.Rewrite, err error) {
	m, err := c.reader(true)
	if err != nil {
		return nil, err
	}
	err = c.ask(ctx, m, "save", saveRequest{Changes: changes}, &files)
	return files, err
}

// readers returns the processes that were made from files: a bridge was not. If none was, it returns all: programs that build
// their nets may keep tuned parameters.
func (c *Client) readers() []*member {
	list := slices.DeleteFunc(slices.Clone(c.list()), func(m *member) bool { return m.File == "" })
	if len(list) == 0 {
		return c.list()
	}
	return list
}

// reader returns one of them, on request one of this host.
func (c *Client) reader(here bool) (*member, error) {
	all := c.readers()
	if len(all) == 0 {
		return nil, admin.ErrNoFile
	}
	name, _ := os.Hostname()
	at := slices.IndexFunc(all, func(m *member) bool {
		return m.conn != nil && (!here || m.Host == name || m.Host == system.LocalHost)
	})
	switch {
	case at >= 0:
		return all[at], nil
	case here:
		return nil, fmt.Errorf("all processes of %q run on other hosts, from copies as %s: change the file by hand", c.system, all[0].File)
	}
	return all[0], nil // asking it returns why it is not there
}
