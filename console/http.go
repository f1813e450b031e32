package console

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// The limits of HTTP.
const (
	headerPatience = 5 * time.Second
	bodyPatience   = 10 * time.Second // for a whole request
	idlePatience   = 2 * time.Minute
	strangerWrite  = 5 * time.Second // for the answer to a stranger
	maxHeader      = 16 << 10
	maxForm        = 4 << 10
	cookiePrefix   = "sinew-"
)

// problemPlace is where the page to sign in shows a problem.
const problemPlace = `<p role="alert">`

//go:embed login.html
var loginPage []byte

// handler serves everything. Without a session there is only the page to sign in.
func (s *Server) handler() http.Handler {
	inside := http.NewServeMux()
	inside.HandleFunc("GET /api/session", s.beginSession)
	inside.HandleFunc("POST /logout", s.signOut)
	inside.HandleFunc("GET /nats", s.serveNATS)
	inside.HandleFunc("GET /share", s.serveShare)
	s.robots.Register(inside)
	s.files.Register(inside)
	dist, err := fs.Sub(built, "ui/dist")
	if err != nil {
		panic("console: ui/dist is not embedded")
	}
	inside.Handle("GET /", pages(dist))
	return s.guard(inside)
}

// guard refuses strangers: other hosts' names, other origins, people who have not signed in.
func (s *Server) guard(inside http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		harden(w.Header())
		conn, l := sessions.ConnOf(r.Context()), s.loginOf(r)
		if l == nil {
			conn.NotSignedIn()
		}
		if err := s.checkSource(r); err != nil {
			s.refusals.Note(conn.Address, err.Error(), time.Now())
			dismiss(w)
			http.Error(w, "sinew console: "+err.Error(), http.StatusForbidden)
			return
		}
		if r.Method == http.MethodPost && r.URL.Path == "/login" {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err != nil { // cut off, late or malformed: no token was tried
				s.refusals.Note(conn.Address, "a form that was not sent whole", time.Now())
				s.showLogin(w, r, http.StatusBadRequest, "The form did not arrive whole. Send it again.")
				return
			}
			s.signIn(w, r, r.PostForm.Get("token"))
			return
		}
		if r.URL.Path == "/" && r.Method == http.MethodGet && r.URL.Query().Has("token") {
			s.signIn(w, r, r.URL.Query().Get("token"))
			return
		}
		if l == nil {
			s.showLogin(w, r, http.StatusUnauthorized, "")
			return
		}
		conn.SignedIn(l.User)
		inside.ServeHTTP(w, r)
	})
}

// harden sets headers that limit what pages of the console may do: speak with this server only, and be in no frame.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "+
		"worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer") // the first address holds the token
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// checkSource refuses requests that another site's page makes, and those to names that are not this machine's.
func (s *Server) checkSource(r *http.Request) error {
	if !s.ownHost(r.Host) {
		return fmt.Errorf("host %q is not allowed: use the IP address, or allow the name with --host", r.Host)
	}
	if origin := r.Header.Values("Origin"); len(origin) > 1 || len(origin) == 1 && !sameOrigin(origin[0], r.Host) {
		return fmt.Errorf("requests from pages of %q are rejected", strings.Join(origin, ", "))
	}
	entering := r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" && !entering {
		return errors.New("requests from pages of other sites are rejected")
	}
	if r.URL.Path == "/nats" && r.Header.Get("Origin") == "" {
		return errors.New("a WebSocket needs the header Origin")
	}
	return nil
}

// ownHost reports whether a Host header names this machine by number, as localhost, or by a name that was allowed.
func (s *Server) ownHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || slices.ContainsFunc(s.options.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

func sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, host) && u.User == nil
}

// cookieName tells consoles of one machine apart: browsers send cookies to all ports.
func (s *Server) cookieName() string {
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	return cookiePrefix + port
}

func (s *Server) loginOf(r *http.Request) *sessions.Login {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil
	}
	return s.logins.Find(c.Value)
}

// signIn gives a browser its cookie.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, token string) {
	from := sessions.ConnOf(r.Context()).Address
	l, err := s.logins.SignIn(strings.TrimSpace(token), from, s.options.now())
	var late sessions.TooManyAttempts
	switch {
	case errors.As(err, &late):
		s.refusals.Note(from, "too many wrong tokens", time.Now())
		w.Header().Set("Retry-After", strconv.Itoa(int(late.Wait.Seconds())))
		s.showLogin(w, r, http.StatusTooManyRequests, fmt.Sprintf("Too many wrong tokens. Try again in %d s.", int(late.Wait.Seconds())+1))
	case l == nil:
		s.refusals.Note(from, "wrong token", time.Now())
		s.showLogin(w, r, http.StatusForbidden, "Wrong token. The console prints a new address at each start; use the newest one.")
	default:
		s.log.Info("console: signed in", "user", l.User, "role", l.Role.String(), "from", r.RemoteAddr)
		http.SetCookie(w, &http.Cookie{Name: s.cookieName(), Value: l.ID, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			MaxAge: int(sessions.LoginLife.Seconds())})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// signOut ends a login and its pages.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	l := s.loginOf(r)
	s.logins.SignOut(l.ID)
	s.sessions.EndOf(l)
	http.SetCookie(w, &http.Cookie{Name: s.cookieName(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// dismiss lets a stranger's connection end with its answer, and that soon.
func dismiss(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(strangerWrite))
}

// showLogin shows the page to sign in, with the problem of the last attempt, if any.
func (s *Server) showLogin(w http.ResponseWriter, r *http.Request, code int, problem string) {
	dismiss(w)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(code)
		fmt.Fprintln(w, "not signed in")
		return
	}
	w.WriteHeader(code)
	_, _ = w.Write(bytes.Replace(loginPage, []byte(problemPlace), []byte(problemPlace+problem), 1)) // fixed texts: nothing to escape
}

// sessionReply holds a page's user and how the page reaches the NATS server.
type sessionReply struct {
	User    string       `json:"user"`
	Role    request.Role `json:"role"`
	NATS    natsEntry    `json:"nats"`
	Version string       `json:"version"`
}

type natsEntry struct {
	Path     string `json:"path"`
	User     string `json:"user"`
	Password string `json:"pass"`
}

// beginSession makes a session for a page.
func (s *Server) beginSession(w http.ResponseWriter, r *http.Request) {
	l := s.loginOf(r)
	if l == nil {
		s.showLogin(w, r, http.StatusUnauthorized, "")
		return
	}
	if err := s.listener.CheckRoom(l.User); err != nil {
		http.Error(w, err.Error(), http.StatusTooManyRequests)
		return
	}
	page := s.sessions.Begin(l)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(sessionReply{l.User, l.Role, natsEntry{"/nats", page.ID, page.Password}, s.options.Version})
}
