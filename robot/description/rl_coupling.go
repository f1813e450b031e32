package description

import (
	"github.com/sinew-robotics/sinew/robot/description/document"
)

// Coupling is how a Robotics Library model couples the coordinates y by which programs move it to its joints, as where one motor
// moves two joints:
//
//	q = Position y      q' = Velocity y'
//
// with the positions q and velocities q' of the joints in the order of the file, rad or m. Both matrices are square, by rows; nil is the
// identity.
type Coupling struct {
	Position [][]float64
	Velocity [][]float64
}

// Joints returns the positions of the joints at coordinates y. It panics if y has another length than the matrix.
func (c *Coupling) Joints(y []float64) []float64 {
	if c == nil || c.Position == nil {
		return append([]float64(nil), y...)
	}
	q := make([]float64, len(c.Position))
	for i, row := range c.Position {
		for k := range row {
			q[i] += row[k] * y[k]
		}
	}
	return q
}

// couple reads the coupling of a model, and takes its home position to the joints.
func (x *rlReader) couple(model *document.Element) {
	nq, nv := 0, 0
	for i := range x.robot.Joints {
		nq += x.robot.Joints[i].Type.NQ()
		nv += x.robot.Joints[i].Type.NV()
	}
	if n := len(x.robot.Home); n > 0 && n != nq {
		x.Addf(model.Child("home").Pos, "<home> has %d numbers: the joints have %d coordinates", n, nq)
		x.robot.Home = nil
	}
	position, velocity := x.only(model, "gammaPosition"), x.only(model, "gammaVelocity")
	if position == nil && velocity == nil {
		return
	}
	c := &Coupling{Position: x.matrix(position, nq), Velocity: x.matrix(velocity, nv)}
	if c.Position == nil && c.Velocity == nil {
		return
	}
	x.robot.Coupling = c
	if c.Position != nil && x.robot.Home != nil {
		x.robot.Home = c.Joints(x.robot.Home)
	}
	at := position
	if at == nil {
		at = velocity
	}
	x.doubtf(at.Pos, "<%s> couples the coordinates y of the library's programs to the joints, q = Γ y: vectors of the model are q", at.Name)
}

// matrix reads rows of columns: n of each. It returns nil for the identity, for no element and with problems.
func (x *rlReader) matrix(e *document.Element, n int) [][]float64 {
	if e == nil {
		return nil
	}
	rows := e.Children("row")
	if len(rows) != n {
		x.Addf(e.Pos, "<%s> has %d rows: wants one for each of the joints' %d coordinates", e.Name, len(rows), n)
		return nil
	}
	matrix, identity := make([][]float64, n), true
	for i, row := range rows {
		columns := row.Children("col")
		if len(columns) != n {
			x.Addf(row.Pos, "row %d of <%s> has %d columns: wants %d", i+1, e.Name, len(columns), n)
			return nil
		}
		matrix[i] = make([]float64, n)
		for k, c := range columns {
			matrix[i][k] = x.content(c)
			identity = identity && (i == k && matrix[i][k] == 1 || i != k && matrix[i][k] == 0)
		}
	}
	if identity {
		return nil
	}
	return matrix
}
