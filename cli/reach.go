package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/deploy"
)

// reach is how the tools find a running system: on this host and those that sinew up has started it on, or at a site's
// NATS servers.
type reach struct {
	url         string
	credentials string
	authority   string
}

// register adds the flags. What they leave out the variables SINEW_NATS, SINEW_NATS_CREDENTIALS and SINEW_NATS_CA say.
func (r *reach) register(flags *pflag.FlagSet) {
	flags.StringVar(&r.url, "nats", os.Getenv("SINEW_NATS"), "look at a site's NATS server, by its `URL` (SINEW_NATS)")
	flags.StringVar(&r.credentials, "credentials", os.Getenv("SINEW_NATS_CREDENTIALS"), "`file` of the credentials for --nats (SINEW_NATS_CREDENTIALS)")
	flags.StringVar(&r.authority, "ca", os.Getenv("SINEW_NATS_CA"), "`file` of the certificates that vouch for --nats (SINEW_NATS_CA)")
}

// site returns the address that the flags tell; the URL is empty where they tell none.
func (r *reach) site() admin.Address {
	return admin.Address{URL: r.url, Credentials: r.credentials, Authority: r.authority}
}

// list returns the names of the systems that can be reached, sorted.
func (r *reach) list(ctx context.Context) ([]string, error) {
	if r.url != "" {
		return admin.ListAt(ctx, r.site())
	}
	names := append(admin.List(), deploy.Systems()...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// dial reaches the named system, or the only one that runs. The name may be that of one process, SYSTEM.PROCESS.
func (r *reach) dial(ctx context.Context, name string) (*admin.Client, error) {
	if name == "" {
		running, err := r.list(ctx)
		switch {
		case err != nil:
			return nil, err
		case len(running) == 0:
			return nil, errors.New("no system runs: start one with sinew run FILE")
		case len(running) > 1:
			return nil, fmt.Errorf("several systems run: say which: %s", strings.Join(running, ", "))
		}
		name = running[0]
	}
	return admin.DialAt(name, r.addresses(name)...)
}

// addresses returns the servers where a system, or a process of it, can be.
func (r *reach) addresses(name string) []admin.Address {
	if r.url != "" {
		return []admin.Address{r.site()}
	}
	system, _, _ := strings.Cut(name, ".")
	plan, err := deploy.ReadPlan(system)
	if err != nil { // it is not up: somebody runs it by hand
		return []admin.Address{admin.OnHost(system)}
	}
	if plan.Nats != nil {
		return []admin.Address{site(plan.Nats)}
	}
	addresses := remoteAddresses(plan)
	if len(addresses) == 0 || hasServer(plan) {
		addresses = append(addresses, admin.OnHost(system))
	}
	return addresses
}

// onSystem reaches a system as [reach.dial] does, and lets do work with it.
func (r *reach) onSystem(ctx context.Context, name string, do func(*admin.Client) error) error {
	c, err := r.dial(ctx, name)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(c)
}
