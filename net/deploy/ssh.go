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

	"github.com/sinew-robotics/sinew/internal/private"
)

// Remote is another host, reached by the user's own OpenSSH, with its configuration, keys, agent and known hosts. Each
// request to it is a call of the command sinew there.
type Remote struct {
	Name  string // in the system file
	SSH   string // what OpenSSH calls it
	Sinew string // path of the command there, once it is known
}

const (
	connectTimeout = 20 * time.Second // a busy host takes long to log in
	persist        = "30"             // seconds that a connection is kept for the next call
)

// sshCommand returns the command that reaches hosts: that of the variable SINEW_SSH, by default ssh.
func sshCommand() []string {
	if words := strings.Fields(os.Getenv("SINEW_SSH")); len(words) > 0 {
		return words
	}
	return []string{"ssh"}
}

// options are those of every call: no questions, no unknown host, one connection for many calls. The sockets of kept connections
// are in a private folder: the owner of such a socket is taken for the host.
func (r *Remote) options() ([]string, error) {
	o := []string{"-T", "-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oConnectTimeout=" + strconv.Itoa(int(connectTimeout.Seconds())),
		"-oServerAliveInterval=2", "-oServerAliveCountMax=3"}
	folder, err := private.Folder()
	if err == nil {
		folder, err = private.Below(folder, "ssh")
	}
	if err != nil {
		return nil, fmt.Errorf("keep the connection to host %q for the next call: %w", r.Name, err)
	}
	if len(folder) > controlFolder {
		return o, nil
	}
	return append(o, "-oControlMaster=auto", "-oControlPath="+filepath.Join(folder, "%C"), "-oControlPersist="+persist), nil
}

// controlFolder is how many bytes the folder of kept connections may have: ssh adds a slash, 40 digits and, while it makes the
// socket, 17 more. In a longer one each call has a connection of its own.
const controlFolder = 107 - 1 - 40 - 17

// Command returns a call of a program on the host.
func (r *Remote) Command(ctx context.Context, words ...string) *exec.Cmd {
	options, err := r.options()
	ssh := append(sshCommand(), options...)
	for i, w := range words {
		words[i] = quote(w)
	}
	cmd := exec.CommandContext(ctx, ssh[0], append(ssh[1:], r.SSH, "--", strings.Join(words, " "))...)
	cmd.WaitDelay = outputDelay
	if err != nil {
		cmd.Err = err // it does not start
	}
	return cmd
}

// outputDelay is how long the output of an ended call is waited for: a busy machine takes seconds to copy it, and the process of
// a kept connection may hold it open for longer.
const outputDelay = 10 * time.Second

// Call returns a call of the command sinew on the host.
func (r *Remote) Call(ctx context.Context, arguments ...string) *exec.Cmd {
	return r.Command(ctx, append([]string{r.Sinew}, arguments...)...)
}

// quote makes one word for the shell of the host.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// sshFailed is the exit code of ssh itself.
const sshFailed = 255

// ErrUnreachable is wrapped by the error of a call to a host that does not answer.
var ErrUnreachable = errors.New("the host is not reached")

// output runs a call and returns what it printed.
func (r *Remote) output(cmd *exec.Cmd, input io.Reader) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, &out, &errs
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if errors.Is(err, private.ErrRefused) {
		return nil, err
	}
	message := lastLine(errs.Bytes())
	if message == "" {
		message = err.Error()
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == sshFailed {
		return nil, fmt.Errorf("host %q (ssh %s): %w: %s%s", r.Name, r.SSH, ErrUnreachable, message, r.advice(message))
	}
	return nil, fmt.Errorf("host %q (ssh %s): %s", r.Name, r.SSH, strings.TrimPrefix(message, "sinew: "))
}

// advice explains what to do about a message of ssh.
func (r *Remote) advice(message string) string {
	switch {
	case strings.Contains(message, "Host key verification failed"):
		return fmt.Sprintf(": its key is not among your known hosts, or has changed: check it, and log in once by hand: ssh %s", r.SSH)
	case strings.Contains(message, "Permission denied"):
		return fmt.Sprintf(": it wants a key that works without a question: ssh-copy-id %s, or start an agent", r.SSH)
	case strings.Contains(message, "Could not resolve"):
		return ": check the name in the deploy section, or give it in ~/.ssh/config"
	}
	return ""
}

// Hang up ends the connection that is kept for the next call.
func (r *Remote) hangUp() {
	options, err := r.options()
	if err != nil {
		return // nothing is kept
	}
	ssh := append(sshCommand(), options...)
	_ = exec.Command(ssh[0], append(ssh[1:], "-O", "exit", r.SSH)...).Run()
}

// lastLine returns the last line of a text that is not empty.
func lastLine(text []byte) string {
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}
