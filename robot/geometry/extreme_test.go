package geometry

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit"
	"github.com/sinew-robotics/sinew/robot/spatial"
)

func pose(rows [3][3]float64, x, y, z float64) spatial.Pose {
	return spatial.Pose{R: spatial.Mat3(rows).Orthonormalize(), P: spatial.Vec3{X: x, Y: y, Z: z}}
}

// TestPublishedFailuresHaveAnswers repeats configurations that other libraries failed on, from their public reports.
func TestPublishedFailuresHaveAnswers(t *testing.T) {
	ok := must(t)
	box := func(x, y, z float64) *Shape { return ok(NewBox(spatial.Vec3{X: x, Y: y, Z: z})) }
	cylinder := func(r, l float64) *Shape { return ok(NewCylinder(r, l)) }
	tilted := [3][3]float64{
		{0.94096063217417758029, 0.29296840037289501035, 0.16959541586174811667},
		{-0.23569836841299879326, 0.92661523595848427348, -0.29296840037289506586},
		{-0.2429801799032638987, 0.23569836841299884878, 0.94096063217417758029},
	}
	var prism []spatial.Vec3
	for _, p := range []spatial.Vec3{
		{X: 0.5, Y: 0.5, Z: -0.866025}, {X: 0.5, Y: -0.5, Z: -0.866025}, {X: 0.5, Y: 1}, {X: 0.5, Y: -1},
		{X: 0.5, Y: 0.5, Z: 0.866025}, {X: 0.5, Y: -0.5, Z: 0.866025},
	} {
		prism = append(prism, p, spatial.Vec3{X: -p.X, Y: p.Y, Z: p.Z})
	}
	for _, c := range []struct {
		name   string
		a, b   *Shape
		pa, pb spatial.Pose
		want   float64
	}{
		{
			"libccd#25", box(2, 2, 2), box(2, 2, 2), spatial.IdentityPose(), spatial.Translation(spatial.Vec3{Z: 1.9}), -0.1,
		},
		{
			"fcl#319", cylinder(0.05, 0.06), box(0.025, 0.35, 1.845),
			pose([3][3]float64{
				{-0.99999999997999022838, 6.2572835802045040178e-10, 6.3260669852976095481e-06},
				{6.3260669851683709551e-06, -6.3943303429958554955e-10, 0.99999999997999056145}, {6.2573180158128459924e-10, 1, 6.3942912945996747041e-10},
			}, 0.57500009756757608503, -0.42711963046787942977, 1.1867093858346736831),
			pose([3][3]float64{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, 0.8, -0.4575, 0.9225), math.NaN(),
		},
		{
			"fcl#390", cylinder(0.05, 0.06), box(0.025, 0.35, 1.845),
			pose([3][3]float64{
				{-0.97313010759279283679, -0.12202804064972551379, 0.19526123781136842106},
				{0.20950801135757171623, -0.11745920569325593307, 0.97072639199619581429},
				{-0.095520609678929752073, 0.98555187191549953329, 0.13986894183635001365},
			}, 0.87472781461138560122, -0.4038687881347159947, 1.5871328698116491385),
			pose([3][3]float64{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, 0.8, -0.4575, 0.9225), math.NaN(),
		},
		{
			"fcl#408", ok(NewSphere(0.06)), box(0.1, 0.1, 0.1),
			pose([3][3]float64{{-1, -4.4637642593504144998e-09, 0}, {4.4637642593504144998e-09, -1, 0}, {0, 0, 1}},
				1.7855056639081962376e-10, 0.039999999999999993894, 0.33000000000000012657),
			spatial.Translation(spatial.Vec3{X: 0.05, Y: 0.15, Z: 0.35}), 0,
		},
		{
			"fcl#493", box(0.25, 0.25, 0.25), box(0.25, 0.25, 0.25),
			pose(tilted, 0.073242100093223821977, 0.2316538089896212349, 1.3089245921032497399), pose(tilted, 0, 0, 1.25), 0,
		},
		{
			"drake#21234", cylinder(0.041, 0.17), box(0.3, 0.6, 0.016),
			pose([3][3]float64{
				{0.62286449762754547699, 0.71651535568044355529, -0.31407891153229777759},
				{-0.20605566270224237591, -0.23703718387133412837, -0.94939688083050233214},
				{-0.75470582445316081177, 0.65606334948423605802, 4.0172294049188053423e-17},
			}, 0.20238033346825459735, 0.027845683594011010065, 0.3114233939246693339),
			spatial.Translation(spatial.Vec3{X: 0.4, Z: 0.26885}), math.NaN(),
		},
		{
			"drake#21673, a hexagonal prism on another", ok(NewHull(prism)), ok(NewHull(prism)), spatial.IdentityPose(),
			spatial.Translation(spatial.Vec3{X: 1}), 0,
		},
		{
			"coal#604", box(0.363, 0.277, 0.363), box(0.363, 0.363, 0.277),
			pose([3][3]float64{
				{0.9999195703, 0.01021849413, 0.007512347878}, {-0.01021878248, 0.9999477869, -3.329855922e-17},
				{-0.007511955635, -7.676704888e-05, 0.9999717819},
			}, 1.503354966, -0.8531707835, 0.7700092418),
			pose([3][3]float64{
				{0.9998670967, -0.01297708324, 0.009868343982}, {0.01297771517, 0.9999157859, 5.255670031e-17},
				{-0.009867512928, 0.0001280685574, 0.9999513067},
			}, 1.48838308, -1.102020834, 0.4497073799), math.NaN(),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var q Query
			got, err := q.Distance(c.a, &c.pa, c.b, &c.pb, nil)
			if err != nil {
				t.Fatal(err)
			}
			certify(t, testkit.Rand(t), c.a, &c.pa, c.b, &c.pb, got, 1)
			if !math.IsNaN(c.want) {
				testkit.Near(t, "distance", got.Distance, c.want, 1e-9)
			}
		})
	}
}

func TestExtremeSizesAndPlacesAreCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) // the same cases on every run: the fuzz target draws others
	var q Query
	sizes := []float64{0, 1e-6, 1e-3, 1, 1e6}
	shape := func(k Kind) (*Shape, float64) {
		ok := must(t)
		x, y, z := sizes[r.IntN(5)], sizes[r.IntN(5)], sizes[r.IntN(5)]
		switch k {
		case Sphere:
			return ok(NewSphere(x)), x
		case Capsule:
			return ok(NewCapsule(x, y)), x + y
		case Box:
			return ok(NewBox(spatial.Vec3{X: x, Y: y, Z: z})), x + y + z
		case Cylinder:
			return ok(NewCylinder(x, y)), x + y
		case Cone:
			return ok(NewCone(x, y)), x + y
		}
		// needles and discs, at most ten thousand times as long as thick
		x, y, z = max(x, 1e-4*y, 1e-4*z), max(y, 1e-4*x, 1e-4*z), max(z, 1e-4*x, 1e-4*y)
		if k == Ellipsoid {
			return ok(NewEllipsoid(spatial.Vec3{X: x, Y: y, Z: z})), x + y + z
		}
		points := make([]spatial.Vec3, 30)
		for i := range points {
			p := randomVec(r)
			points[i] = spatial.Vec3{X: x * p.X, Y: y * p.Y, Z: z * p.Z}
		}
		return ok(NewHull(points)), 4 * (x + y + z)
	}
	for _, ka := range convexKinds {
		for _, kb := range convexKinds {
			for i := range 60 {
				a, la := shape(ka)
				b, lb := shape(kb)
				pa, pb := randomPose(r, 0), randomPose(r, 0)
				switch i % 4 {
				case 0: // one inside the other
				case 1: // aligned and kissing
					pb.R = pa.R
					pb.P = pa.R.MulVec(spatial.Vec3{Z: a.bounds.Max.Z + a.round + b.bounds.Max.Z + b.round})
				case 2:
					pb.P = randomVec(r).Scale(la + lb)
				case 3:
					pb = pa
				}
				c, err := q.Distance(a, &pa, b, &pb, nil)
				if err != nil {
					t.Fatal(err, a.kind, a.half, b.kind, b.half, pa, pb)
				}
				certify(t, r, a, &pa, b, &pb, c, 10*(la+lb)+1e-6)
			}
		}
	}
}

func TestPosesThatAreNotFiniteAreRefused(t *testing.T) {
	var q Query
	s, b := must(t)(NewSphere(1)), must(t)(NewBox(spatial.Vec3{X: 1, Y: 1, Z: 1}))
	good := spatial.IdentityPose()
	for _, x := range []float64{math.NaN(), math.Inf(1), 1e300} {
		bad := spatial.Translation(spatial.Vec3{Y: x})
		turned := spatial.IdentityPose()
		turned.R[1][2] = x
		for _, other := range []*Shape{s, b} {
			if _, err := q.Distance(other, &good, s, &bad, nil); err != ErrPose {
				t.Errorf("distance to %v with %g: %v", other.Kind(), x, err)
			}
			if _, _, err := q.Hit(other, &good, b, &turned, 0, nil); err != ErrPose {
				t.Errorf("hit of %v with %g: %v", other.Kind(), x, err)
			}
		}
	}
}

func FuzzDistanceIsFinite(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"))
	f.Add(make([]byte, 300))
	f.Fuzz(func(t *testing.T, data []byte) {
		at := 0
		number := func() float64 { // mostly lengths that make cases: exact ones, tiny ones, huge ones
			if at+3 > len(data) {
				return 0
			}
			x := float64(int16(binary.LittleEndian.Uint16(data[at:]))) / 256
			e := int(int8(data[at+2])) % 7
			at += 3
			if e < 0 {
				return math.Round(x)
			}
			return x * math.Pow(10, float64(e-3))
		}
		shape := func() *Shape {
			var s *Shape
			k := int(math.Abs(number())) % 8
			x, y, z := math.Abs(number()), math.Abs(number()), math.Abs(number())
			switch k {
			case 0:
				s, _ = NewSphere(x)
			case 1:
				s, _ = NewCapsule(x, y)
			case 2:
				s, _ = NewBox(spatial.Vec3{X: x, Y: y, Z: z})
			case 3:
				s, _ = NewCylinder(x, y)
			case 4:
				s, _ = NewCone(x, y)
			case 5:
				s, _ = NewEllipsoid(spatial.Vec3{X: x, Y: y, Z: z})
			case 6:
				points := make([]spatial.Vec3, 3+len(data)%40)
				for i := range points {
					points[i] = spatial.Vec3{X: number(), Y: number(), Z: number()}
				}
				s, _ = NewHull(points)
			case 7:
				points := make([]spatial.Vec3, 5)
				for i := range points {
					points[i] = spatial.Vec3{X: number(), Y: number(), Z: number()}
				}
				s, _ = NewMesh(points, [][3]int{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}})
			}
			return s
		}
		place := func() spatial.Pose {
			return spatial.Pose{R: spatial.RPY(number(), number(), number()), P: spatial.Vec3{X: number(), Y: number(), Z: number()}}
		}
		a, b, pa, pb := shape(), shape(), place(), place()
		var q Query
		c, err := q.Distance(a, &pa, b, &pb, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(c.Distance) < 1e12) || !c.A.IsFinite() || !c.B.IsFinite() || math.Abs(c.Normal.Norm()-1) > 1e-6 {
			t.Fatalf("%v, %v: %+v", a.kind, b.kind, c)
		}
		if a.tree == nil && b.tree == nil {
			slab := -reachAlong(b, &pb, c.Normal.Neg()) - reachAlong(a, &pa, c.Normal)
			scale := a.Reach() + b.Reach() + pa.P.Norm() + pb.P.Norm()
			if math.Abs(slab-c.Distance) > 1e-6*scale {
				t.Fatalf("%v %v, %v %v: distance %g, slab %g at %v, %v", a.kind, a.half, b.kind, b.half, c.Distance, slab, pa, pb)
			}
		}
	})
}
