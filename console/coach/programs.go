package coach

import (
	"fmt"
	"net"
	"os"
	"slices"
	"sync"

	"github.com/sinew-robotics/sinew/internal/sockets"
)

// program is a connection.
type program struct {
	coach   *Coach
	conn    net.Conn
	name    string            // its address
	held    map[string]*drive // of the robots that it drives
	ignored int               // lines
}

// programs are the connections of a port, at most maxPrograms, the one that has sent no line for the longest time first.
type programs struct {
	mu   sync.Mutex
	list []*program
	// driving are those that drive a robot: none of them makes room for another one.
	driving map[*program]bool
}

// admit adds a program. If there are as many as may be, it closes the one that has been idle for the longest time and drives no robot.
// It reports false if all of them drive.
func (ps *programs) admit(p *program) bool {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if len(ps.list) >= maxPrograms {
		idle := slices.IndexFunc(ps.list, func(q *program) bool { return !ps.driving[q] })
		if idle < 0 {
			return false
		}
		_ = ps.list[idle].conn.Close()
		ps.list = slices.Delete(ps.list, idle, idle+1)
	}
	ps.list = append(ps.list, p)
	return true
}

// active notes that a program has sent a line.
func (ps *programs) active(p *program) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if i := slices.Index(ps.list, p); i >= 0 {
		ps.list = append(slices.Delete(ps.list, i, i+1), p)
	}
}

// drives notes that a program drives a robot.
func (ps *programs) drives(p *program) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	ps.driving[p] = true
}

// leave removes a program that has ended.
func (ps *programs) leave(p *program) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	delete(ps.driving, p)
	ps.list = slices.DeleteFunc(ps.list, func(q *program) bool { return q == p })
}

// checkUser rejects a connection that another user of this machine has made.
func checkUser(conn net.Conn) error {
	uid, known, err := sockets.Peer(conn)
	switch {
	case err != nil:
		return fmt.Errorf("the user of the program is not known: %w", err)
	case known && uid != os.Getuid():
		return fmt.Errorf("the program belongs to user %d, the port to user %d", uid, os.Getuid())
	}
	return nil
}
