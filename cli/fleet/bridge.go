package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"

	"github.com/sinew-robotics/sinew/internal/nearest"
	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/admin/nats"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
	"github.com/sinew-robotics/sinew/net/link"
	"github.com/sinew-robotics/sinew/net/link/bridge"
	"github.com/sinew-robotics/sinew/net/link/quantized"
	"github.com/sinew-robotics/sinew/net/link/remote"
	"github.com/sinew-robotics/sinew/net/link/schedule"
	"github.com/sinew-robotics/sinew/net/link/serial"
	"github.com/sinew-robotics/sinew/net/link/shm"
	"github.com/sinew-robotics/sinew/net/link/tcp"
	"github.com/sinew-robotics/sinew/net/link/udp"
	"github.com/sinew-robotics/sinew/net/system"
)

// bridgeFlags are the flags of the verb bridge.
type bridgeFlags struct {
	registry                   *block.Registry
	listen, name, network, key string
	scheduler                  string
	peers                      []string
	insecure                   bool
	every                      int
	maxRate                    float64
	priority                   int
	planned                    bool
}

func bridgeCommand(registry *block.Registry) *cobra.Command {
	f := &bridgeFlags{registry: registry}
	cmd := &cobra.Command{
		Use:   "bridge SYSTEM LINK...",
		Short: "Join ports of this host with those of another, or with one another",
		Long: `Join named ports in the shared memory of SYSTEM with those of another host, where a second bridge runs, or give one to
several others. A LINK is written as in a system file, from one port to one or several:

	sinew bridge lab "plant.position -> desk:plant.position" "desk:pid.out -> plant.u" --listen :7400 --key lab.key --peer desk=10.0.0.1:7400,KEY
	sinew bridge lab "camera.pose -> viewer.pose, logger.pose" --max-rate 30
	sinew bridge lab "camera.image -> desk:image" "{link: pose -> desk:pose, priority: 9}" --scheduler priority --key lab.key --peer desk=10.0.0.1:7400,KEY

A name before a colon is a peer. The programs at a port define what it carries: the bridge waits until one of them runs. The newest
packet wins. Packets are encrypted: sinew bridge key FILE makes a key and prints the public one that the peer wants.

The hosts of a system file need no such command: sinew up starts the bridges between them.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			if f.planned {
				plan, err := deploy.ReadPlan(args[0])
				if err != nil {
					return err
				}
				return bridgePlan(ctx, plan, registry)
			}
			return f.run(ctx, args[0], args[1:])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", ":0", "take packets of peers at this `address`, in the form of the network")
	flags.StringVar(&f.name, "name", hostName(), "what the peers call this host")
	flags.StringVar(&f.network, "network", system.DefaultNetwork, "what carries the packets: "+strings.Join(registry.Carriers(), ", "))
	flags.StringVar(&f.scheduler, "scheduler", system.DefaultScheduler, "which links are sent first when the network has no room for all: "+strings.Join(registry.Schedulers(), ", "))
	flags.StringVar(&f.key, "key", "", "the `file` with the private key of this host")
	flags.StringArrayVar(&f.peers, "peer", nil, "another bridge: `NAME=ADDRESS,KEY` with its public key; without an address it calls")
	flags.BoolVar(&f.insecure, "insecure", false, "send in plain text, and accept packets from any sender: both sides must set it")
	flags.IntVar(&f.every, "every", 1, "let each `n`-th packet pass")
	flags.Float64Var(&f.maxRate, "max-rate", 0, "let at most this number of packets pass per second, the newest ones")
	flags.IntVar(&f.priority, "priority", 0, "real-time priority, 1 to 99")
	flags.BoolVar(&f.planned, "planned", false, "bridge the links in the plan of a system that is up")
	_ = flags.MarkHidden("planned")
	for flag, words := range map[string][]cobra.Completion{"network": registry.Carriers(), "scheduler": registry.Schedulers()} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	cmd.AddCommand(bridgeKeyCommand())
	return cmd
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "host"
	}
	return name
}

func bridgeKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "key FILE",
		Short: "Make a key for a bridge, and print its public part",
		Long:  `Write a new private key into FILE, for its owner only, and print the public key that peers want. For a file that exists its public key is printed.`,
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := readKey(args[0])
			if errors.Is(err, os.ErrNotExist) {
				if id, err = remote.NewIdentity(); err != nil {
					return err
				}
				if err = private.WriteSecret(args[0], []byte(id.Secret()+"\n")); err != nil {
					err = fmt.Errorf("write the key: %w", err)
				}
			}
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), id.Public())
			return nil
		},
	}
}

// readKey reads a private key from a file of this user alone.
func readKey(path string) (remote.Identity, error) {
	text, err := private.Secret(path)
	if err != nil {
		return remote.Identity{}, fmt.Errorf("read the key: %w", err)
	}
	id, err := remote.ParseIdentity(strings.TrimSpace(string(text)))
	if err != nil {
		return id, fmt.Errorf("%s: %w", path, err)
	}
	return id, nil
}

// Links returns the carriers, encodings and schedulers of links that every command has.
func Links() []block.Entry {
	return []block.Entry{
		block.Carrier(udp.Carrier()), block.Carrier(tcp.Carrier()), block.Carrier(serial.Carrier()), block.Encoding(quantized.Encoding()),
		block.Scheduler(schedule.RoundRobin()), block.Scheduler(schedule.Priority()),
	}
}

// openNetwork opens this host's side of a network, whose links a scheduler orders; without their names it takes the defaults.
func openNetwork(registry *block.Registry, network, scheduler string, c remote.Config) (*remote.Endpoint, error) {
	scheduler = cmp.Or(scheduler, system.DefaultScheduler)
	var ok bool
	if c.Scheduler, ok = registry.Scheduler(scheduler); !ok {
		return nil, fmt.Errorf("scheduler %q: this command has no scheduler of that name%s", scheduler, nearest.Hint(scheduler, registry.Schedulers()))
	}
	carrier, ok := registry.Carrier(cmp.Or(network, system.DefaultNetwork))
	if !ok {
		return nil, fmt.Errorf("network %q: this command has no carrier of that name%s", network, nearest.Hint(network, registry.Carriers()))
	}
	return remote.Open(carrier, c)
}

// run bridges the links of the command line.
func (f *bridgeFlags) run(ctx context.Context, system string, links []string) error {
	if len(links) == 0 {
		return errors.New(`which ports? as in: sinew bridge lab "plant.position -> desk:plant.position"`)
	}
	local, err := shm.New(system)
	if err != nil {
		return err
	}
	peers, closePeers, err := f.openPeers()
	if err != nil {
		return err
	}
	defer closePeers()
	var relays []bridge.Relay
	for _, text := range links {
		w, err := f.relay(text, local, peers)
		if err != nil {
			return err
		}
		relays = append(relays, w)
	}
	return relay(ctx, nats.Identity{System: fmt.Sprintf("%s-bridge-%d", system, os.Getpid())}, nats.Address{}, relays, f.priority)
}

// openPeers opens the links to the peers, where there are any.
func (f *bridgeFlags) openPeers() (peers map[string]link.Transport, closePeers func(), err error) {
	peers, closePeers = map[string]link.Transport{}, func() {}
	if len(f.peers) == 0 {
		if f.scheduler != system.DefaultScheduler {
			return nil, nil, fmt.Errorf("scheduler %q: it orders links to another host, and this bridge has none: add --peer NAME=ADDRESS,KEY", f.scheduler)
		}
		return peers, closePeers, nil
	}
	config := remote.Config{Name: f.name, Local: f.listen, Insecure: f.insecure}
	if !f.insecure {
		if f.key == "" {
			return nil, nil, errors.New("a bridge to a peer wants --key FILE: make one with sinew bridge key FILE, or be --insecure")
		}
		if config.Identity, err = readKey(f.key); err != nil {
			return nil, nil, err
		}
	}
	host, err := openNetwork(f.registry, f.network, f.scheduler, config)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range f.peers {
		peer, err := f.peer(text, config.Identity)
		if err == nil {
			peers[peer.Name], err = host.Peer(peer)
		}
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("peer %q: %w", text, err), host.Close())
		}
	}
	return peers, func() { host.Close() }, nil
}

// peer reads NAME=ADDRESS,KEY.
func (f *bridgeFlags) peer(text string, own remote.Identity) (p remote.PeerConfig, err error) {
	name, rest, ok := strings.Cut(text, "=")
	address, key, withKey := strings.Cut(rest, ",")
	if !ok || name == "" || !withKey && !f.insecure {
		return p, errors.New("wants NAME=ADDRESS,KEY, as desk=10.0.0.1:7400,KEY")
	}
	p.Name, p.Address = name, address
	if f.insecure {
		return p, nil
	}
	if p.Key, err = remote.ParsePublicKey(key); err != nil {
		return p, err
	}
	if p.Key == own.Public() {
		return p, errors.New("that is this bridge itself: it wants the public key of the other one")
	}
	return p, nil
}

// relay reads a link: FROM -> TO, TO, or a mapping with it and a priority.
func (f *bridgeFlags) relay(text string, local *shm.Transport, peers map[string]link.Transport) (w bridge.Relay, err error) {
	fail := func(err error) (bridge.Relay, error) { return w, fmt.Errorf("link %q: %w", text, err) }
	ends, priority, err := f.readLink(text)
	if err != nil {
		return fail(err)
	}
	from, to, ok := strings.Cut(ends, "->")
	if !ok {
		return fail(errors.New(`wants FROM -> TO, as "plant.position -> desk:plant.position"`))
	}
	w = bridge.Relay{Name: ends, Every: f.every, MaxRate: f.maxRate}
	if w.From, err = bridgeEnd(from, local, peers); err != nil {
		return fail(err)
	}
	remotes := w.From.Transport != link.Transport(local)
	for t := range strings.SplitSeq(to, ",") {
		end, err := bridgeEnd(t, local, peers)
		if err != nil {
			return fail(err)
		}
		if remotes && end.Transport != link.Transport(local) {
			return fail(errors.New("from one peer to another this host only passes on: link them with each other"))
		}
		end.Spec.Priority = priority
		w.To = append(w.To, end)
	}
	return w, nil
}

// readLink reads a link of the command line as a system file has it: a text, or a mapping with the keys link and priority. A priority that
// the scheduler does not heed is an error.
func (f *bridgeFlags) readLink(text string) (ends string, priority int, err error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text, 0, nil
	}
	l := struct {
		Link     string
		Priority int
	}{}
	switch err := yaml.Load([]byte(text), &l, yaml.WithKnownFields()); {
	case err != nil || l.Link == "":
		return "", 0, errors.New("wants {link: FROM -> TO, priority: 0 to 99}")
	case l.Priority < 0 || l.Priority > 99:
		return "", 0, fmt.Errorf("priority %d: wants 0 to 99, the most urgent", l.Priority)
	case l.Priority > 0 && f.scheduler == system.DefaultScheduler:
		return "", 0, fmt.Errorf("the scheduler %s does not heed the priority %d: add --scheduler priority", system.DefaultScheduler, l.Priority)
	}
	return l.Link, l.Priority, nil
}

func bridgeEnd(text string, local *shm.Transport, peers map[string]link.Transport) (e bridge.End, err error) {
	name := strings.TrimSpace(text)
	peer, port, isRemote := strings.Cut(name, ":")
	if !isRemote {
		e = bridge.End{Transport: local, Spec: link.Spec{Name: name}, Find: local.Find}
	} else if e.Transport = peers[peer]; e.Transport == nil {
		var names []string
		for n := range peers {
			names = append(names, n)
		}
		return e, fmt.Errorf("no peer %q%s: add --peer %s=ADDRESS,KEY", peer, nearest.Hint(peer, names), peer)
	} else {
		e.Host, e.Spec.Name = peer, port
	}
	if e.Spec.Name == "" {
		return e, fmt.Errorf("%q names no port", text)
	}
	return e, nil
}
