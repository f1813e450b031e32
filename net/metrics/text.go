package metrics

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// contentType is that of Prometheus' text format.
const contentType = "text/plain; version=0.0.4; charset=utf-8"

// family is the metrics of one name in the text format: one for each set of values of its labels.
type family struct {
	name, help string
	kind       string // "counter", "gauge" or "histogram"
	labels     []string
	samples    []byte
}

// escaper escapes the values of labels.
var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// add adds a metric with the values of its labels.
func (f *family) add(v float64, labels ...string) { f.sample("", f.labels, labels, v) }

// sample appends a line. The suffix stands behind the family's name.
func (f *family) sample(suffix string, names, values []string, v float64) {
	b := append(append(f.samples, f.name...), suffix...)
	for i, name := range names {
		b = append(b, "{,"[min(i, 1)])
		b = append(append(b, name...), `="`...)
		b = append(append(b, escaper.Replace(strings.ToValidUTF8(values[i], "\uFFFD"))...), '"')
	}
	f.samples = append(strconv.AppendFloat(append(b, "} "...), v, 'g', -1, 64), '\n')
}

// write writes a family that has metrics.
func (f *family) write(w io.Writer) {
	if len(f.samples) > 0 {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s", f.name, f.help, f.name, f.kind, f.samples)
	}
}
