package batch

import (
	"math"

	"github.com/sinew-robotics/sinew/robot/multibody"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

// straighten turns frames of bodies by half a turn about their z axes, which costs the exact change of signs only, so that
// more placements are by α = +π/2, for which there are kernels, than by -π/2: Rz(-π) Rx(α) = Rx(-α) Rz(-π). It returns
// which ones it turned.
func straighten(bodies []multibody.Body) []bool {
	turned := make([]bool, len(bodies))
	for p := 1; p < len(bodies); p++ {
		if bodies[p].Kind >= multibody.BallMounted {
			continue
		}
		votes := 0.0
		for i := p + 1; i < len(bodies); i++ {
			if b := &bodies[i]; b.Parent == p && b.CosAlpha == 0 {
				votes -= b.SinAlpha
			}
		}
		if votes <= 0 {
			continue
		}
		turned[p] = true
		b := &bodies[p]
		b.Gamma += math.Pi
		b.FirstMoment = halfTurnVec(b.FirstMoment)
		b.Inertia, b.SecondMoment = halfTurnSym(b.Inertia), halfTurnSym(b.SecondMoment)
		for i := p + 1; i < len(bodies); i++ {
			if b := &bodies[i]; b.Parent == p {
				b.SinAlpha = -b.SinAlpha
				b.Gamma -= math.Pi
				b.Origin, b.Axis = halfTurnVec(b.Origin), halfTurnVec(b.Axis)
			}
		}
	}
	return turned
}

func halfTurnVec(v spatial.Vec3) spatial.Vec3 { return spatial.Vec3{X: -v.X, Y: -v.Y, Z: v.Z} }

func halfTurnSym(s spatial.Sym3) spatial.Sym3 {
	s.XZ, s.YZ = -s.XZ, -s.YZ
	return s
}

// halfTurn turns the axes that r refers to.
func halfTurn(r spatial.Mat3) spatial.Mat3 {
	for j := range 3 {
		r[0][j], r[1][j] = -r[0][j], -r[1][j]
	}
	return r
}
