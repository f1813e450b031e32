package deploy

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sinew-robotics/sinew/internal/private"
	"github.com/sinew-robotics/sinew/net/system"
)

// HostInfo describes a host, by its own report.
type HostInfo struct {
	Home   string `json:"home"`   // absolute path of the user's home folder there
	Port   int    `json:"port"`   // one that is free for its bridge
	Client string `json:"client"` // address from which the local host came
	Server string `json:"server"` // address at which it was reached
}

// Inform returns the description of this host.
func Inform() (HostInfo, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return HostInfo{}, err
	}
	conn, err := net.ListenPacket("udp", ":0")
	if err != nil {
		return HostInfo{}, fmt.Errorf("find a free port: %w", err)
	}
	defer conn.Close()
	info := HostInfo{Home: home, Port: conn.LocalAddr().(*net.UDPAddr).Port}
	if words := strings.Fields(os.Getenv("SSH_CONNECTION")); len(words) == 4 {
		info.Client, info.Server = words[0], words[2]
	}
	return info, nil
}

// install brings the command sinew to the host, unless it is there already, and sets r.Sinew.
func (r *Remote) install(ctx context.Context, binary string) error {
	file, err := os.Open(binary)
	if err != nil {
		return fmt.Errorf("host %q: read the command sinew for it: %w", r.Name, err)
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	digest := hex.EncodeToString(hash.Sum(nil))[:16]
	out, err := r.output(r.Command(ctx, "sh", "-c", probe, "sh", digest), nil)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 3 {
		return fmt.Errorf("host %q: its shell prints %q: use a POSIX shell whose start-up files print nothing", r.Name, firstWords(string(out)))
	}
	r.Sinew = path.Join(lines[1], cacheFolder, "bin", digest, "sinew")
	if lines[2] == "there" {
		return nil
	}
	if err := checkMachine(file, lines[0]); err != nil {
		return fmt.Errorf("host %q: %w", r.Name, err)
	}
	const receive = `umask 077; f=$1.part.$$; trap 'rm -f "$f"' EXIT; cat > "$f" && chmod 700 "$f" && mv "$f" "$1"`
	return send(ctx, "copy the command sinew", func() error {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := r.output(r.Command(ctx, "sh", "-c", receive, "sh", r.Sinew), file)
		return err
	})
}

// copyAttempts is how often something is sent to a host that has answered a moment ago, where the connection breaks meanwhile.
const copyAttempts = 3

// send copies something to a host, again where the connection breaks.
func send(ctx context.Context, what string, attempt func() error) error {
	for n := 1; ; n++ {
		err := attempt()
		if err == nil {
			return nil
		}
		if n == copyAttempts || ctx.Err() != nil || !errors.Is(err, ErrUnreachable) {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
}

func firstWords(text string) string { return text[:min(len(text), 80)] }

// machines are what uname calls the processors of ELF files.
var machines = map[string]elf.Machine{"x86_64": elf.EM_X86_64, "aarch64": elf.EM_AARCH64, "armv7l": elf.EM_ARM, "riscv64": elf.EM_RISCV}

// checkMachine fails where a program cannot run on a machine that calls itself so.
func checkMachine(program *os.File, uname string) error {
	const advice = "build sinew for it (GOOS=%s GOARCH=… go build) and name the file in the system file: binary: …"
	system, machine, _ := strings.Cut(uname, " ")
	if system != "Linux" {
		return fmt.Errorf("it runs %s: sinew starts processes on hosts with Linux", system)
	}
	file, err := elf.NewFile(program)
	if err != nil {
		return fmt.Errorf("the command sinew here, %s, is no program for Linux: "+advice, program.Name(), "linux")
	}
	if want, known := machines[machine]; known && file.Machine != want {
		return fmt.Errorf("its processor is %s, the command sinew here is for %s: "+advice, machine, runtime.GOARCH, "linux")
	}
	return nil
}

// inform asks the host about itself.
func (r *Remote) inform(ctx context.Context) (info HostInfo, err error) {
	out, err := r.output(r.Call(ctx, "host", "info"), nil)
	if err == nil {
		err = json.Unmarshal(out, &info)
	}
	return info, err
}

// manifest is the files of a system by their absolute paths on the local host, with a digest of each.
type manifest map[string]string

// filesRoot is the folder, within a user's home, under which other hosts keep the files of a system.
func filesRoot(system string) string { return cacheFolder + "/files/" + system }

// copyFiles brings those files to the host that differ there, each whole or not at all.
func (r *Remote) copyFiles(ctx context.Context, system string, files []string) error {
	m := manifest{}
	for _, f := range files {
		d, err := digestOf(os.Open, f)
		if err != nil {
			return fmt.Errorf("copy files to host %q: %w", r.Name, err)
		}
		m[f] = d
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	out, err := r.output(r.Call(ctx, "host", "compare", system), bytes.NewReader(text))
	if err != nil {
		return err
	}
	var differ []string
	if err := json.Unmarshal(out, &differ); err != nil {
		return fmt.Errorf("host %q: compare files: %w", r.Name, err)
	}
	if len(differ) == 0 {
		return nil
	}
	return send(ctx, "copy files", func() error {
		read, write := io.Pipe()
		defer read.Close()
		go func() { write.CloseWithError(pack(write, m, differ)) }()
		_, err := r.output(r.Call(ctx, "host", "unpack", system), read)
		return err
	})
}

// digestOf returns a digest of a file's content and mode.
func digestOf(open func(path string) (*os.File, error), path string) (string, error) {
	file, err := open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return fmt.Sprintf("%s %o", hex.EncodeToString(hash.Sum(nil)), info.Mode().Perm()), err
}

// pack writes files as an archive.
func pack(w io.Writer, m manifest, paths []string) error {
	t := tar.NewWriter(w)
	for _, p := range paths {
		if _, known := m[p]; !known {
			return fmt.Errorf("the host asks for %s, which is no file of the system", p)
		}
		if err := packFile(t, p); err != nil {
			return err
		}
	}
	return t.Close()
}

func packFile(t *tar.Writer, p string) error {
	file, err := os.Open(p)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := t.WriteHeader(&tar.Header{Name: p, Size: info.Size(), Mode: int64(info.Mode().Perm())}); err != nil {
		return err
	}
	_, err = io.CopyN(t, file, info.Size())
	return err
}

// openRoot opens the folder of a system's files on this host: no path leads out of it.
func openRoot(name string) (*os.Root, error) {
	if err := system.CheckName(name); err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	cache := filepath.Join(home, cacheFolder)
	if err := os.MkdirAll(filepath.Dir(cache), 0o700); err != nil {
		return nil, err
	}
	if err := private.Make(cache); err != nil {
		return nil, err
	}
	folder, err := private.Below(cache, "files", name)
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(folder)
}

// Compare reads a manifest and writes the paths of the files that this host lacks or that differ from it.
func Compare(system string, in io.Reader, out io.Writer) error {
	root, err := openRoot(system)
	if err != nil {
		return err
	}
	defer root.Close()
	var m manifest
	if err := json.NewDecoder(in).Decode(&m); err != nil {
		return fmt.Errorf("read the list of files: %w", err)
	}
	differ := []string{}
	for p, want := range m {
		if have, err := digestOf(root.Open, inside(p)); err != nil || have != want {
			differ = append(differ, p)
		}
	}
	return json.NewEncoder(out).Encode(differ)
}

// Unpack reads an archive into the folder of a system's files. A file appears whole or not at all. It fails for a damaged
// archive and for files that cannot be written; no name leads outside the folder.
func Unpack(system string, in io.Reader) error {
	root, err := openRoot(system)
	if err != nil {
		return err
	}
	defer root.Close()
	t := tar.NewReader(in)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the archive: %w", err)
		}
		if err := unpackFile(root, inside(h.Name), os.FileMode(h.Mode).Perm(), t); err != nil {
			return fmt.Errorf("write %s: %w", h.Name, err)
		}
	}
}

// inside returns where a file of the local host lies under the folder of a system's files.
func inside(file string) string { return strings.TrimPrefix(path.Clean("/"+file), "/") }

func unpackFile(root *os.Root, name string, mode os.FileMode, content io.Reader) (err error) {
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	part := name + ".part"
	file, err := root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode|0o200)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(part)
		}
	}()
	if _, err = io.Copy(file, content); err != nil {
		return errors.Join(err, file.Close())
	}
	if err = errors.Join(file.Chmod(mode), file.Close()); err != nil {
		return err
	}
	return root.Rename(part, name)
}
