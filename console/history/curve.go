package history

import "github.com/sinew-robotics/sinew/net/clock"

// curve collects samples of a span of time; of more than points it keeps the least and the greatest of equal parts.
type curve struct {
	from, to clock.Time
	points   int
	all      []sample
	parts    []extent
}

// extent holds the least and the greatest sample of a part, and whether there is any.
type extent struct {
	any             bool
	least, greatest sample
}

func newCurve(from, to clock.Time, points int) *curve {
	return &curve{from: from, to: to, points: points, parts: make([]extent, max(points/2, 1))}
}

func (c *curve) add(at clock.Time, v float64) {
	x := sample{at, v}
	if len(c.all) <= c.points {
		c.all = append(c.all, x)
	}
	part := int(float64(at-c.from) / float64(c.to-c.from) * float64(len(c.parts)))
	p := &c.parts[min(max(part, 0), len(c.parts)-1)]
	if !p.any || v < p.least.v || v != v {
		p.least = x
	}
	if !p.any || v > p.greatest.v {
		p.greatest = x
	}
	p.any = true
}

func (c *curve) result() (times []int64, values []float64) {
	list := c.all
	if len(list) > c.points {
		list = nil
		for _, p := range c.parts {
			switch {
			case !p.any:
			case p.least == p.greatest:
				list = append(list, p.least)
			case p.least.at <= p.greatest.at:
				list = append(list, p.least, p.greatest)
			default:
				list = append(list, p.greatest, p.least)
			}
		}
	}
	times, values = []int64{}, []float64{}
	for _, x := range list {
		times, values = append(times, int64(x.at)), append(values, x.v)
	}
	return times, values
}
