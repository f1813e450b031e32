package scip

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/sinew-robotics/sinew/device/driver"
	"github.com/sinew-robotics/sinew/device/wire"
)

// URG04LX returns the parameters of Hokuyo's URG-04LX: 682 beams over 240° to 5.6 m, ten turns a second.
func URG04LX() Parameters {
	return Parameters{Least: 20, Greatest: 5600, Turn: 1024, First: 44, Last: 725, Front: 384, TurnsPerMinute: 600}
}

// View returns the distance in m that a scanner sees at an angle in rad at a time since its start; +Inf: nothing.
type View func(angle float64, at time.Duration) float64

// maxQueued is how many bytes may wait until the channel takes them. A scan that would be more is dropped.
const maxQueued = 1 << 16

// Emulator is a scanner at the other end of a channel. It knows all commands of the specification but that for firmware updates.
type Emulator struct {
	wire       wire.Wire
	parameters Parameters
	view       View

	now      time.Duration
	nextTurn time.Duration
	laser    bool
	adjusts  bool // its time: TM0
	measures measurement

	command []byte
	out     []byte // what the channel has not taken yet
	data    []byte // of a scan
	buffer  [256]byte
}

// measurement is a command MD or MS that has been accepted.
type measurement struct {
	echo           []byte
	active         bool
	first, last    int
	cluster        int
	interval, wait int // turns that are left out, and that are still to be
	scans          int // that remain; 0: without end
	characters     int // of a distance
}

var _ driver.Emulator = (*Emulator)(nil)

// NewEmulator returns a scanner on an open channel.
func NewEmulator(w wire.Wire, p Parameters, v View) *Emulator {
	if !p.check() {
		panic("scip: the parameters of the emulator are not those of a scanner")
	}
	e := &Emulator{wire: w, parameters: p, view: v, command: make([]byte, 0, lineLength)}
	e.out, e.data = make([]byte, 0, 2*maxQueued), make([]byte, 0, 3*p.Beams())
	e.measures.echo = make([]byte, 0, lineLength)
	return e
}

// Step implements [driver.Emulator].
func (e *Emulator) Step(dt time.Duration) error {
	e.now += dt
	if err := e.listen(); err != nil {
		e.command, e.out, e.measures.active, e.laser = e.command[:0], e.out[:0], false, false
		return driver.AwaitDriver(e.wire, err)
	}
	turn := time.Minute / time.Duration(e.parameters.TurnsPerMinute)
	for ; e.nextTurn <= e.now; e.nextTurn += turn {
		e.turned()
	}
	var err error
	e.out, err = driver.Send(e.wire, e.out)
	return driver.AwaitDriver(e.wire, err)
}

// listen takes the commands that have arrived.
func (e *Emulator) listen() error {
	for {
		n, err := e.wire.Read(e.buffer[:])
		if err != nil || n == 0 {
			return err
		}
		for _, c := range e.buffer[:n] {
			switch {
			case c != '\n' && c != '\r':
				if len(e.command) < cap(e.command) {
					e.command = append(e.command, c)
				}
			case len(e.command) > 0:
				if len(e.out) < maxQueued {
					e.answer(e.command)
				}
				e.command = e.command[:0]
			}
		}
	}
}

// reply sends the answer to a command: the lines, without checksums, are separated by line feeds.
func (e *Emulator) reply(command []byte, status string, lines string) {
	e.out = append(append(e.out, command...), '\n')
	e.line([]byte(status))
	for len(lines) > 0 {
		n := 0
		for n < len(lines) && lines[n] != '\n' {
			n++
		}
		e.text(lines[:n])
		lines = lines[min(n+1, len(lines)):]
	}
	e.out = append(e.out, '\n')
}

// line appends a line and its checksum.
func (e *Emulator) line(text []byte) {
	e.out = append(append(e.out, text...), checksum(text), '\n')
}

// text appends a line of text, whose checksum follows a semicolon that it does not count.
func (e *Emulator) text(text string) {
	begin := len(e.out)
	e.out = append(e.out, text...)
	e.sum(begin)
}

// sum ends a line of text that began at a place of what is sent.
func (e *Emulator) sum(begin int) {
	e.out = append(e.out, ';', checksum(e.out[begin:]), '\n')
}

// value appends a line of text with a number.
func (e *Emulator) value(name string, value int) {
	begin := len(e.out)
	e.out = append(append(e.out, name...), ':')
	e.out = strconv.AppendInt(e.out, int64(value), 10)
	e.sum(begin)
}

const versionLines = "VEND:Hokuyo Automatic Co.,Ltd.\nPROD:SOKUIKI Sensor URG-04LX\nFIRM:3.3.00(16/Apr./2008)\nPROT:SCIP 2.0\nSERI:H0000000"

// answer answers a command. Text after a semicolon belongs to the host, and comes back.
func (e *Emulator) answer(command []byte) {
	bare, _, _ := bytes.Cut(command, []byte(";"))
	if len(bare) < 2 {
		e.reply(command, "0E", "")
		return
	}
	name, arguments := string(bare[:2]), bare[2:]
	if e.adjusts && name != "TM" && name != "RS" && name != "VV" && name != "PP" && name != "II" {
		e.reply(command, "0E", "")
		return
	}
	switch name {
	case "VV":
		e.reply(command, "00", versionLines)
	case "PP":
		e.describe(command)
	case "II":
		e.report(command)
	case "BM":
		e.reply(command, onOff(e.laser, "02", "00"), "")
		e.laser = true
	case "QT":
		e.stop()
		e.reply(command, "00", "")
	case "RS":
		e.stop()
		e.adjusts, e.now, e.nextTurn = false, 0, 0
		e.reply(command, "00", "")
	case "TM":
		e.adjustTime(command, arguments)
	case "SS", "CR", "HS": // rates and sensitivities change nothing here
		e.reply(command, "00", "")
	case "GD", "GS", "MD", "MS":
		e.measure(command, name, arguments)
	default:
		e.reply(command, "0E", "")
	}
}

func onOff(is bool, on, off string) string {
	if is {
		return on
	}
	return off
}

func (e *Emulator) stop() { e.laser, e.measures.active = false, false }

func (e *Emulator) describe(command []byte) {
	p := &e.parameters
	e.reply(command, "00", "MODL:URG-04LX(Hokuyo Automatic Co.,Ltd.)")
	e.out = e.out[:len(e.out)-1] // the empty line comes later
	e.value("DMIN", p.Least)
	e.value("DMAX", p.Greatest)
	e.value("ARES", p.Turn)
	e.value("AMIN", p.First)
	e.value("AMAX", p.Last)
	e.value("AFRT", p.Front)
	e.value("SCAN", p.TurnsPerMinute)
	e.out = append(e.out, '\n')
}

// report answers II.
func (e *Emulator) report(command []byte) {
	e.reply(command, "00", "MODL:URG-04LX(Hokuyo Automatic Co.,Ltd.)")
	e.out = e.out[:len(e.out)-1] // the empty line comes later
	e.text(onOff(e.laser, "LASR:ON", "LASR:OFF"))
	begin := len(e.out)
	e.out = strconv.AppendInt(append(e.out, "SCSP:Initial("...), int64(e.parameters.TurnsPerMinute), 10)
	e.out = append(e.out, "[rpm])<-Default setting by user"...)
	e.sum(begin)
	e.text(onOff(e.measures.active, "MESM:Measuring", "MESM:IDLE"))
	e.text("SBPS:115200[bps]<-Default setting by user")
	begin = len(e.out)
	e.out = append(e.out, "TIME:"...)
	for shift := 20; shift >= 0; shift -= 4 {
		e.out = append(e.out, "0123456789ABCDEF"[int(e.now/time.Millisecond)>>shift&15])
	}
	e.sum(begin)
	e.text("STAT:Sensor works well.")
	e.out = append(e.out, '\n')
}

func (e *Emulator) adjustTime(command, arguments []byte) {
	switch string(arguments) {
	case "0":
		e.reply(command, onOff(e.adjusts, "02", "00"), "")
		e.adjusts = true
		e.stop()
	case "1":
		if !e.adjusts {
			e.reply(command, "03", "")
			return
		}
		e.reply(command, "00", "")
		e.out = e.out[:len(e.out)-1]
		e.stamp()
		e.out = append(e.out, '\n')
	case "2":
		e.reply(command, onOff(e.adjusts, "00", "03"), "")
		e.adjusts = false
	default:
		e.reply(command, "01", "")
	}
}

// stamp appends the line with the time in ms.
func (e *Emulator) stamp() {
	begin := len(e.out)
	e.out = appendEncoded(e.out, int(e.now/time.Millisecond), 4)
	e.out = append(e.out, checksum(e.out[begin:]), '\n')
}

// number reads digits; ok is false if there are others.
func number(digits []byte) (n int, ok bool) {
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = 10*n + int(d-'0')
	}
	return n, true
}

// measure checks a command to measure, and begins.
func (e *Emulator) measure(command []byte, name string, arguments []byte) {
	once := name[0] == 'G'
	if once && len(arguments) != 10 || !once && len(arguments) != 13 {
		e.reply(command, "0C", "")
		return
	}
	m := measurement{echo: append(e.measures.echo[:0], command...), active: !once, characters: 3}
	if name[1] == 'S' {
		m.characters = 2
	}
	var valid [5]bool
	m.first, valid[0] = number(arguments[:4])
	m.last, valid[1] = number(arguments[4:8])
	m.cluster, valid[2] = number(arguments[8:10])
	valid[3], valid[4] = true, true
	if !once {
		m.interval, valid[3] = number(arguments[10:11])
		m.scans, valid[4] = number(arguments[11:13])
	}
	m.cluster = max(m.cluster, 1)
	for i, status := range [...]string{"01", "02", "03", "06", "07"} {
		if !valid[i] {
			e.reply(command, status, "")
			return
		}
	}
	switch {
	case m.last > e.parameters.Last:
		e.reply(command, "04", "")
	case m.last < m.first:
		e.reply(command, "05", "")
	case once && !e.laser:
		e.reply(command, "10", "")
	case once:
		e.out = append(append(e.out, command...), '\n')
		e.line([]byte("00"))
		e.scan(&m)
	default:
		e.reply(command, "00", "")
		e.laser, e.measures = true, m
	}
}

// turned sends a scan, if one is due.
func (e *Emulator) turned() {
	m := &e.measures
	if !m.active {
		return
	}
	if m.wait > 0 {
		m.wait--
		return
	}
	m.wait = m.interval
	if m.scans > 0 { // the answers count down how many scans remain
		m.scans--
		at := bytes.IndexByte(append(m.echo, ';'), ';')
		appendDecimal(m.echo[at-2:at-2], m.scans, 2)
		m.active = m.scans > 0
		e.laser = m.active
	}
	if len(e.out) > maxQueued {
		return
	}
	e.out = append(append(e.out, m.echo...), '\n')
	e.line([]byte("99"))
	e.scan(m)
}

// scan appends time stamp, distances and the end of an answer.
func (e *Emulator) scan(m *measurement) {
	e.stamp()
	data := e.data[:0]
	_, step := e.parameters.Angles()
	for from := m.first; from <= m.last; from += m.cluster {
		least := math.MaxInt
		for i := from; i < from+m.cluster && i <= m.last; i++ {
			least = min(least, e.distance(float64(i-e.parameters.Front)*step))
		}
		data = appendEncoded(data, min(least, 1<<(6*m.characters)-1), m.characters)
	}
	for len(data) > 0 {
		n := min(len(data), blockLength)
		e.line(data[:n])
		data = data[n:]
	}
	e.out = append(e.out, '\n')
}

// nothingSeen is the distance that scanners send where there is nothing, in mm.
const nothingSeen = 65533

// distance returns what the scanner measures at an angle, in mm; 0 where it is too near.
func (e *Emulator) distance(angle float64) int {
	mm := math.Round(1000 * e.view(angle, e.now))
	switch {
	case mm > float64(e.parameters.Greatest):
		return nothingSeen
	case !(mm >= float64(e.parameters.Least)):
		return 0
	}
	return int(mm)
}
