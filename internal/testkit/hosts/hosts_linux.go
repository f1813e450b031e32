package hosts

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	random "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/sinew-robotics/sinew/internal/testkit"
)

// Network is a switch with hosts.
type Network struct {
	Hosts []*Host
	// SSH is the command that reaches the hosts by their names, for SINEW_SSH.
	SSH string
	// Address is this host's on the network.
	Address string
	// Dir is a folder that all hosts can access.
	Dir string
	// User is a folder for the temporary files of the user who starts systems, TMPDIR. Its path is short where ssh keeps connections
	// for later calls, and long where each call has its own: see [EachWay].
	User string
	// Kept reports whether ssh keeps connections.
	Kept bool

	t      testing.TB
	plug   string // this machine's end of its cable to the switch, and the name of the namespace that has the switch
	key    string // file of the user's private key
	sshd   string // file of the hosts' private key
	public ssh.PublicKey
}

// Host is a namespace with an sshd.
type Host struct {
	Name    string
	Address string

	network *Network
	space   string
	wire    string // its cable's end at the switch
	home    string // survives a restart
	running *exec.Cmd
}

// Start creates a network of hosts with the given names, and removes it when the test ends.
func Start(t testing.TB, names ...string) *Network {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("SKIPPED: hosts of its own wants Linux and root")
	}
	for _, tool := range []string{"ip", "sshd", "ssh", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: hosts of its own: %v", err)
		}
	}
	n := &Network{t: t}
	subnet := n.connect()
	n.Address = subnet + "1"
	var err error
	if n.Dir, err = os.MkdirTemp("/var/tmp", "h"); err != nil { // not /tmp: each host has its own
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(n.Dir) })
	n.choose()
	n.keys()
	n.must("ip", "addr", "add", n.Address+"/24", "dev", n.plug)
	n.must("ip", "link", "set", n.plug, "up")
	for i, name := range names {
		n.add(name, fmt.Sprintf("%s%d", subnet, i+2), i)
	}
	n.configure()
	return n
}

// networks is how many networks a machine can have.
const networks = 64 * 250

// bridge is the switch within its namespace. There it ends with the run of tests that made it, even if that is killed.
const bridge = "switch"

// connect makes the switch, with a cable to this machine under a name that no other network has, and returns the first three numbers of
// the addresses.
func (n *Network) connect() (subnet string) {
	n.t.Helper()
	for attempt := 1; ; attempt++ {
		id := random.IntN(networks)
		n.plug = fmt.Sprintf("sw%d", id)
		n.must("ip", "netns", "add", n.plug)
		out, err := exec.Command("ip", "link", "add", n.plug, "type", "veth", "peer", "name", "machine", "netns", n.plug).CombinedOutput()
		if err == nil {
			n.t.Cleanup(func() {
				_ = exec.Command("ip", "link", "del", n.plug).Run()
				_ = exec.Command("ip", "netns", "del", n.plug).Run()
			})
			n.must("ip", "-n", n.plug, "link", "add", bridge, "type", "bridge")
			n.must("ip", "-n", n.plug, "link", "set", bridge, "up")
			n.must("ip", "-n", n.plug, "link", "set", "machine", "master", bridge, "up")
			return fmt.Sprintf("10.%d.%d.", 64+id/250, id%250)
		}
		_ = exec.Command("ip", "netns", "del", n.plug).Run()
		if attempt == 20 {
			n.t.Fatalf("add the cable %s: %v: %s", n.plug, err, out)
		}
	}
}

func (n *Network) must(words ...string) {
	n.t.Helper()
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		n.t.Fatalf("%s: %v: %s", strings.Join(words, " "), err, out)
	}
}

// keys creates a key for the user and one for all hosts.
func (n *Network) keys() {
	for _, file := range []*string{&n.key, &n.sshd} {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			n.t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			n.t.Fatal(err)
		}
		key, err := ssh.NewPublicKey(public)
		if err != nil {
			n.t.Fatal(err)
		}
		*file = filepath.Join(n.Dir, fmt.Sprintf("key%d", len(n.key)))
		n.write(*file, string(pem.EncodeToMemory(block)))
		if file == &n.key {
			n.write(filepath.Join(n.Dir, "authorized"), string(ssh.MarshalAuthorizedKey(key)))
		} else {
			n.public = key
		}
	}
}

func (n *Network) write(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		n.t.Fatal(err)
	}
}

// configure writes the configuration of the user's ssh.
func (n *Network) configure() {
	var config, known strings.Builder
	for _, h := range n.Hosts {
		fmt.Fprintf(&config, "Host %s\n\tHostName %s\n\tUser root\n\tIdentityFile %s\n\tUserKnownHostsFile %s\n\tHostKeyAlias %s\n",
			h.Name, h.Address, n.key, filepath.Join(n.Dir, "known"), h.Name)
		fmt.Fprintf(&known, "%s %s", h.Name, ssh.MarshalAuthorizedKey(n.public))
	}
	n.write(filepath.Join(n.Dir, "config"), config.String())
	n.write(filepath.Join(n.Dir, "known"), known.String())
	n.SSH = "ssh -F " + filepath.Join(n.Dir, "config")
}

// Distrust removes the hosts from the known hosts of the user's ssh.
func (n *Network) Distrust() { n.write(filepath.Join(n.Dir, "known"), "") }

func (n *Network) add(name, address string, i int) {
	h := &Host{Name: name, Address: address, network: n, space: fmt.Sprintf("%s-%s", n.plug, name), wire: fmt.Sprintf("host%d", i),
		home: filepath.Join(n.Dir, name)}
	if err := os.Mkdir(h.home, 0o700); err != nil {
		n.t.Fatal(err)
	}
	n.Hosts = append(n.Hosts, h)
	n.must("ip", "netns", "add", h.space)
	n.t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", h.space).Run() })
	n.must("ip", "-n", n.plug, "link", "add", h.wire, "type", "veth", "peer", "name", "eth0", "netns", h.space)
	n.must("ip", "-n", n.plug, "link", "set", h.wire, "master", bridge, "up")
	n.must("ip", "-n", h.space, "addr", "add", address+"/24", "dev", "eth0")
	n.must("ip", "-n", h.space, "link", "set", "eth0", "up")
	n.must("ip", "-n", h.space, "link", "set", "lo", "up")
	h.write("sshd_config", fmt.Sprintf("ListenAddress %s\nHostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nPasswordAuthentication no\nUsePAM no\nPidFile none\nMaxStartups 100\nMaxSessions 100\n",
		address, n.sshd, filepath.Join(n.Dir, "authorized")))
	h.boot()
	n.t.Cleanup(h.halt)
}

func (h *Host) write(name, text string) { h.network.write(h.home+"."+name, text) }

// boot starts the host's processes, with separate memory, temporary files and home.
func (h *Host) boot() {
	const setup = `mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs tmpfs /tmp && mount --bind "$1" /root && mkdir -p /run/sshd && exec "$(command -v sshd)" -D -e -f "$1.sshd_config"`
	cmd := exec.Command("ip", "netns", "exec", h.space, "unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc", "sh", "-c", setup, "sh", h.home)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/root"}
	if run, ok := os.LookupEnv(testkit.RunVariable); ok {
		cmd.Env = append(cmd.Env, testkit.RunVariable+"="+run)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.Create(h.home + ".log")
	if err != nil {
		h.network.t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		h.network.t.Fatal(err)
	}
	h.running = cmd
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.DialTimeout("tcp", h.Address+":22", time.Second); err == nil {
			conn.Close()
			return
		}
		if time.Since(begin) > testkit.Patience() {
			text, _ := os.ReadFile(h.home + ".log")
			h.network.t.Fatalf("the sshd of %s does not answer: %s", h.Name, text)
		}
	}
}

// halt kills all processes of the host at once, as a power cut does.
func (h *Host) halt() {
	if h.running != nil {
		_ = syscall.Kill(-h.running.Process.Pid, syscall.SIGKILL)
		_ = h.running.Wait()
		h.running = nil
	}
}

// Halt cuts the host's power; its home remains.
func (h *Host) Halt() { h.halt() }

// Boot restores the host's power.
func (h *Host) Boot() { h.boot() }

// Unplug pulls the host's cable.
func (h *Host) Unplug() { h.network.must("ip", "-n", h.network.plug, "link", "set", h.wire, "down") }

// Plug puts the host's cable back.
func (h *Host) Plug() { h.network.must("ip", "-n", h.network.plug, "link", "set", h.wire, "up") }

// Run runs a shell command on the host, by ssh, and returns what it printed.
func (h *Host) Run(command string) (string, error) {
	words := append(strings.Fields(h.network.SSH), "-oControlMaster=no", "-oControlPath=none", h.Name, command)
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	return string(out), err
}
