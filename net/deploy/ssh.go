package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Remote is another host, reached by the user's own OpenSSH: his configuration, keys, agent and known hosts count. What is
// asked of it is a call of the command sinew there.
type Remote struct {
	Name  string // in the system file
	SSH   string // what OpenSSH calls it
	Sinew string // path of the command there, once it is known
}

const (
	connectTimeout = 10 * time.Second
	persist        = "30" // seconds that a connection is kept for the next call
)

// sshCommand returns the command that reaches hosts: ssh, or what the variable SINEW_SSH says.
func sshCommand() []string {
	if words := strings.Fields(os.Getenv("SINEW_SSH")); len(words) > 0 {
		return words
	}
	return []string{"ssh"}
}

// options are those of every call: no questions, no unknown host, one connection for many calls.
func (r *Remote) options() []string {
	o := []string{"-T", "-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oConnectTimeout=" + strconv.Itoa(int(connectTimeout.Seconds())),
		"-oServerAliveInterval=2", "-oServerAliveCountMax=3"}
	folder := filepath.Join(os.TempDir(), "sinew-"+strconv.Itoa(os.Getuid())+"-ssh")
	const longest = 30 // characters: the path of a socket is limited
	if len(folder) <= longest && os.MkdirAll(folder, 0o700) == nil {
		o = append(o, "-oControlMaster=auto", "-oControlPath="+filepath.Join(folder, "%C"), "-oControlPersist="+persist)
	}
	return o
}

// Command returns a call of a program on the host.
func (r *Remote) Command(ctx context.Context, words ...string) *exec.Cmd {
	ssh := append(sshCommand(), r.options()...)
	for i, w := range words {
		words[i] = quote(w)
	}
	cmd := exec.CommandContext(ctx, ssh[0], append(ssh[1:], r.SSH, "--", strings.Join(words, " "))...)
	cmd.WaitDelay = time.Second
	return cmd
}

// Call returns a call of the command sinew on the host.
func (r *Remote) Call(ctx context.Context, arguments ...string) *exec.Cmd {
	return r.Command(ctx, append([]string{r.Sinew}, arguments...)...)
}

// quote makes one word for the shell of the host.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// sshFailed is the exit code of ssh itself.
const sshFailed = 255

// ErrUnreachable is wrapped by the error of a call that did not reach its host.
var ErrUnreachable = errors.New("the host is not reached")

// output runs a call and returns what it printed.
func (r *Remote) output(cmd *exec.Cmd, input io.Reader) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &errs
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	said := lastLine(errs.Bytes())
	if said == "" {
		said = err.Error()
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == sshFailed {
		return nil, fmt.Errorf("host %q (ssh %s): %w: %s%s", r.Name, r.SSH, ErrUnreachable, said, r.advice(said))
	}
	return nil, fmt.Errorf("host %q (ssh %s): %s", r.Name, r.SSH, strings.TrimPrefix(said, "sinew: "))
}

// advice says what to do about what ssh said.
func (r *Remote) advice(said string) string {
	switch {
	case strings.Contains(said, "Host key verification failed"):
		return fmt.Sprintf(": its key is not among your known hosts, or has changed: check it, and log in once by hand: ssh %s", r.SSH)
	case strings.Contains(said, "Permission denied"):
		return fmt.Sprintf(": it wants a key that works without a question: ssh-copy-id %s, or start an agent", r.SSH)
	case strings.Contains(said, "Could not resolve"):
		return ": check the name in the deploy section, or give it in ~/.ssh/config"
	}
	return ""
}

// Hang up ends the connection that is kept for the next call.
func (r *Remote) hangUp() {
	ssh := append(sshCommand(), r.options()...)
	_ = exec.Command(ssh[0], append(ssh[1:], "-O", "exit", r.SSH)...).Run()
}

// lastLine returns the last line of a text that is not empty.
func lastLine(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}
