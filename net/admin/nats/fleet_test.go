package nats_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/admin/admintest"
	"github.com/sinew-robotics/sinew/net/admin/nats"
)

// authority is a certificate authority of a test.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string // its certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), "ca.pem")}
	a.certificate = &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	var der []byte
	a.key, der = a.sign(t, a.certificate, nil)
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign makes a key and a certificate for it; with a nil parent it signs itself.
func (a *authority) sign(t *testing.T, template, parent *x509.Certificate) (*ecdsa.PrivateKey, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer := a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	return key, der
}

// server returns what a server on loopback shows of itself until a time.
func (a *authority) server(t *testing.T, until time.Time) *tls.Config {
	t.Helper()
	key, der := a.sign(t, &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "test server"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until}, a.certificate)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// cluster starts a site's servers: TLS, and a user with a password.
func cluster(t *testing.T, size int, config *tls.Config) (servers []*server.Server, urls string) {
	t.Helper()
	var routes []*url.URL
	var list []string
	for i := range size {
		o := &server.Options{ServerName: fmt.Sprint("node", i), Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true, Username: "robot", Password: "secret",
			TLSConfig: config, TLSTimeout: 5, Routes: routes, Cluster: server.ClusterOpts{Name: "site", Host: "127.0.0.1", Port: -1}}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		if !s.ReadyForConnections(testkit.Patience()) {
			t.Fatal("a server does not start")
		}
		servers = append(servers, s)
		list = append(list, strings.Replace(s.ClientURL(), "nats://", "tls://", 1))
		routes = append(routes, &url.URL{Scheme: "nats", Host: s.ClusterAddr().String()})
	}
	for _, s := range servers {
		testkit.Await(t, "the cluster", func() bool { return s.NumRoutes() > 0 || size == 1 })
	}
	return servers, strings.Join(list, ",")
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFleetSurvivesTheLossOfServers has two systems at a cluster of three servers, each process and tool at another one, and loses one of them.
func TestFleetSurvivesTheLossOfServers(t *testing.T) {
	ca := newAuthority(t)
	servers, urls := cluster(t, 3, ca.server(t, time.Now().Add(time.Hour)))
	each := strings.Split(urls, ",")
	site := nats.Address{URL: urls, Credentials: write(t, "site.creds", "robot:secret\n"), Authority: ca.file}
	at := func(k int) nats.Address { // begins at that server, and knows the others
		a := site
		a.URL = each[k] + "," + strings.Join(slices.Delete(slices.Clone(each), k, k+1), ",")
		return a
	}
	both := []string{"a", "b"}
	join(t, at(0), nats.Identity{System: "arm", Process: "a", Processes: both}, admintest.Plant(t, "one"))
	join(t, at(1), nats.Identity{System: "arm", Process: "b", Processes: both}, admintest.Plant(t, "two"))
	leg, err := nats.Listen(nats.Identity{System: "leg"}, admintest.Plant(t, "one"), at(2))
	if err != nil {
		t.Fatal(err)
	}
	defer leg.Close()
	ctx := context.Background()
	testkit.Await(t, "all systems", func() bool {
		names, err := nats.ListAt(ctx, at(1))
		return err == nil && slices.Equal(names, []string{"arm", "leg"})
	})
	c := dialed(t)(nats.DialAt("arm", at(2)))
	var n atomic.Int64
	end, err := c.Tap(ctx, "two.out", 1, func(admin.Sample) { n.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	testkit.Await(t, "samples", func() bool { return n.Load() > 0 })
	for _, k := range []int{2, 1} { // where the client is; then where the process is
		servers[k].Shutdown()
		servers[k].WaitForShutdown()
		seen := n.Load()
		testkit.Await(t, "samples by another server", func() bool { return n.Load() > seen })
		for _, ref := range []string{"one.out", "two.out"} {
			testkit.Await(t, ref, func() bool { _, err := c.Read(ctx, ref); return err == nil })
		}
	}
}

// TestErrorsNameWhatIsWrongWithASite checks that errors name what is wrong with a site's server or the credentials for it.
func TestErrorsNameWhatIsWrongWithASite(t *testing.T) {
	ca := newAuthority(t)
	_, good := cluster(t, 1, ca.server(t, time.Now().Add(time.Hour)))
	_, expired := cluster(t, 1, ca.server(t, time.Now().Add(-time.Hour)))
	robot, open := write(t, "robot", "robot:secret"), write(t, "open", "robot:secret")
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		address nats.Address
		says    string
	}{
		"an expired certificate":  {nats.Address{URL: expired, Credentials: robot, Authority: ca.file}, "expired"},
		"an unknown authority":    {nats.Address{URL: good, Credentials: robot}, "unknown authority"},
		"an unreadable authority": {nats.Address{URL: good, Credentials: robot, Authority: "/nowhere/ca.pem"}, "/nowhere/ca.pem"},
		"an empty authority":      {nats.Address{URL: good, Credentials: robot, Authority: write(t, "ca", "")}, "certificate"},
		"a wrong password":        {nats.Address{URL: good, Credentials: write(t, "a", "robot:x"), Authority: ca.file}, "refuses these credentials"},
		"no credentials":          {nats.Address{URL: good, Authority: ca.file}, "refuses these credentials"},
		"unreadable credentials":  {nats.Address{URL: good, Credentials: "/nowhere/site.creds", Authority: ca.file}, "/nowhere/site.creds"},
		"credentials for all":     {nats.Address{URL: good, Credentials: open, Authority: ca.file}, "lets other users in"},
		"empty credentials":       {nats.Address{URL: good, Credentials: write(t, "b", "\n"), Authority: ca.file}, "holds no credentials"},
		"broken credentials":      {nats.Address{URL: good, Credentials: write(t, "c", "-----BEGIN NATS USER JWT-----\nx\n"), Authority: ca.file}, "no nkey seed"},
		"no server":               {nats.Address{URL: "nats://127.0.0.1:1"}, "no server answers"},
		"no URL":                  {nats.Address{URL: "tls://%zz"}, "%zz"},
	} {
		_, err := nats.DialAt("arm", c.address)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, wants %q", what, err, c.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error contains the password: %v", what, err)
		}
	}
}
