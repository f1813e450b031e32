package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/run"
)

// Reach is how the tools find a running system: on this host and those that sinew up has started it on, or at a site's
// NATS servers. Its zero value looks on this host and its plans.
type Reach struct {
	url         string
	credentials string
	authority   string
}

// Register adds the flags --nats, --credentials and --ca. Their defaults are the variables SINEW_NATS, SINEW_NATS_CREDENTIALS
// and SINEW_NATS_CA.
func (r *Reach) Register(flags *pflag.FlagSet) {
	flags.StringVar(&r.url, "nats", os.Getenv("SINEW_NATS"), "look at a site's NATS server, by its `URL` (SINEW_NATS)")
	flags.StringVar(&r.credentials, "credentials", os.Getenv("SINEW_NATS_CREDENTIALS"), "`file` of the credentials for --nats (SINEW_NATS_CREDENTIALS)")
	flags.StringVar(&r.authority, "ca", os.Getenv("SINEW_NATS_CA"), "`file` of the certificates that vouch for --nats (SINEW_NATS_CA)")
}

// ReachOf returns the Reach that the flags of [Reach.Register] describe. Flags that are missing stay empty.
func ReachOf(flags *pflag.FlagSet) *Reach {
	var r Reach
	for name, to := range map[string]*string{"nats": &r.url, "credentials": &r.credentials, "ca": &r.authority} {
		if f := flags.Lookup(name); f != nil {
			*to = f.Value.String()
		}
	}
	return &r
}

// AtSite reports whether the flags name the NATS server of a site.
func (r *Reach) AtSite() bool { return r.url != "" }

// site returns the address that the flags name; the URL is empty if they name none.
func (r *Reach) site() nats.Address {
	return nats.Address{URL: r.url, Credentials: r.credentials, Authority: r.authority}
}

// List returns the names of the systems that can be reached, sorted.
func (r *Reach) List(ctx context.Context) ([]string, error) {
	if r.AtSite() {
		return nats.ListAt(ctx, r.site())
	}
	names, err := nats.List()
	if err != nil {
		return nil, err
	}
	up, err := deploy.Systems()
	if err != nil {
		return nil, err
	}
	names = append(names, up...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Dial reaches the named system, or the only one that runs. The name may be that of one process, SYSTEM.PROCESS.
func (r *Reach) Dial(ctx context.Context, name string) (*nats.Client, error) {
	if name == "" {
		running, err := r.List(ctx)
		switch {
		case err != nil:
			return nil, err
		case len(running) == 0:
			return nil, withOrphans(errors.New("no system runs: start one with sinew run FILE"), "")
		case len(running) > 1:
			return nil, fmt.Errorf("several systems run; name one: %s", strings.Join(running, ", "))
		}
		name = running[0]
	}
	client, err := nats.DialAt(name, r.addresses(name)...)
	if err != nil && !r.AtSite() {
		err = withOrphans(err, name)
	}
	return client, err
}

// withOrphans adds to the error of reaching a system that its core runs without a front, and what to do.
func withOrphans(err error, name string) error {
	for _, o := range Orphans(name) {
		err = fmt.Errorf("%w; the core of %s runs in process %d: %s", err, o.Name, o.PID, o.Advice)
	}
	return err
}

// addresses returns the servers where a system, or a process of it, can be.
func (r *Reach) addresses(name string) []nats.Address {
	if r.AtSite() {
		return []nats.Address{r.site()}
	}
	system, process, _ := strings.Cut(name, ".")
	plan, err := deploy.ReadPlan(system)
	if err != nil { // it is not up: it was started by hand
		return []nats.Address{nats.OnHost(system)}
	}
	if plan.Nats != nil {
		return []nats.Address{run.Site(plan.Nats)}
	}
	return planned(plan, process)
}

// planned returns the servers of a system that is up: of the host that runs the process, if it is one of the system file, otherwise of all
// hosts.
func planned(plan *deploy.Plan, process string) []nats.Address {
	here, remotes := hasServer(plan), plan.Remotes
	if plan.Own(process) {
		remotes = nil
	}
	for i := range remotes {
		if remotes[i].Plan.Own(process) {
			here, remotes = false, remotes[i:i+1]
			break
		}
	}
	addresses := remoteAddresses(remotes)
	if here || len(addresses) == 0 {
		addresses = append(addresses, nats.OnHost(plan.System))
	}
	return addresses
}

// OnSystem reaches a system as [Reach.Dial] does, and calls do with the connection, which it closes afterwards.
func (r *Reach) OnSystem(ctx context.Context, name string, do func(*nats.Client) error) error {
	c, err := r.Dial(ctx, name)
	if err != nil {
		return err
	}
	defer c.Close()
	return do(c)
}
