package record

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/sinew-robotics/sinew/internal/testkit/oracle"
)

type reading struct {
	Angle float64 `unit:"rad" doc:"measured angle"`
	Good  bool
	Raw   [2]int16
	More  []float32
}

func (r reading) plain() map[string]any {
	return map[string]any{"angle": r.Angle, "good": r.Good, "raw": []any{float64(r.Raw[0]), float64(r.Raw[1])}, "more": []any{float64(r.More[0])}}
}

// Foxglove's reader finds in our log what we wrote, and every CRC correct.
func TestOracleReadsOurLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.mcap")
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	number, readings := layoutFor[float64](t), layoutFor[reading](t, 1)
	a, _ := w.AddChannel("joint1.position", number)
	b, _ := w.AddChannel("joint1.sensor", readings)
	type message struct {
		Topic    string `json:"topic"`
		Sequence uint32 `json:"sequence"`
		Log      string `json:"log"`
		Publish  string `json:"publish"`
		Value    any    `json:"value"`
	}
	const samples = 20_000 // several chunks
	var want []message
	for i := range samples {
		at := int64(i) * 1e6
		r := reading{float64(i) * 0.5, i%3 == 0, [2]int16{int16(i), -int16(i)}, []float32{0.25}}
		log, publish := strconv.FormatInt(at, 10), strconv.FormatInt(at+7, 10)
		w.Write(Sample{a, at, at + 7, uint32(i), cdrOf(t, number, float64(i)*0.25)})
		w.Write(Sample{b, at, at + 7, uint32(i), cdrOf(t, readings, r.plain())})
		want = append(want,
			message{"/joint1/position", uint32(i), log, publish, map[string]any{"data": float64(i) * 0.25}},
			message{"/joint1/sensor", uint32(i), log, publish, r.plain()})
	}
	w.Attach("system.yaml", "text/yaml", []byte("system: test\n"))
	w.Lost(a, 3)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var answers []struct {
		Profile  string `json:"profile"`
		Count    string `json:"count"`
		Chunks   int    `json:"chunks"`
		Done     bool   `json:"done"`
		Streamed int    `json:"streamed"`
		Channels []struct {
			Topic          string            `json:"topic"`
			Encoding       string            `json:"encoding"`
			Metadata       map[string]string `json:"metadata"`
			Schema         string            `json:"schema"`
			SchemaEncoding string            `json:"schemaEncoding"`
		} `json:"channels"`
		Messages    []message                    `json:"messages"`
		Metadata    map[string]map[string]string `json:"metadata"`
		Attachments map[string]string            `json:"attachments"`
	}
	oracle.Ask(t, "mcap-read.mjs", []string{path}, &answers)
	got := answers[0]
	all := 2*samples + 1 // and one Loss
	if got.Profile != "ros2" || got.Count != fmt.Sprint(all) || got.Streamed != all || !got.Done || got.Chunks < 2 {
		t.Errorf("profile %s, %s messages, %d streamed, done %v, %d chunks", got.Profile, got.Count, got.Streamed, got.Done, got.Chunks)
	}
	losses := 0
	i := 0
	for _, m := range got.Messages {
		if m.Topic == "/sinew/losses" {
			losses++
			if !reflect.DeepEqual(m.Value, map[string]any{"channel": 2.0, "lost": "3"}) {
				t.Error(m)
			}
			continue
		}
		if !reflect.DeepEqual(m, want[i]) {
			t.Fatalf("got %v\nwant %v", m, want[i])
		}
		i++
	}
	if losses != 1 || i != len(want) {
		t.Errorf("%d losses, %d samples", losses, i)
	}
	names := map[string]string{"/sinew/losses": "record_msgs/msg/Loss", "/joint1/position": "std_msgs/msg/Float64", "/joint1/sensor": "record_msgs/msg/Reading"}
	for _, c := range got.Channels {
		if c.Encoding != "cdr" || c.SchemaEncoding != "ros2msg" || c.Schema != names[c.Topic] || c.Metadata["offered_qos_profiles"] == "" {
			t.Error(c)
		}
	}
	if len(got.Channels) != 3 || got.Metadata["sinew.losses"]["joint1.position"] != "3" || got.Attachments["system.yaml"] != "system: test\n" {
		t.Error(got.Channels, got.Metadata, got.Attachments)
	}
}

// We find in the file of Foxglove's writer what it wrote, with and without chunks.
func TestReaderReadsTheOraclesLog(t *testing.T) {
	type message struct {
		Topic      string `json:"topic"`
		Schema     string `json:"schema"`
		Definition string `json:"definition"`
		Log        string `json:"log"`
		Value      any    `json:"value"`
	}
	var messages []message
	for i := range 200 {
		log := fmt.Sprint(1_700_000_000_000_000_000 + int64(i)*1e6)
		messages = append(messages,
			message{"/arm/q", "sinew_msgs/msg/Float64Array", "float64[] data\n", log, map[string]any{"data": []float64{float64(i), 0.5}}},
			message{"/note", "std_msgs/msg/String", "string data\n", log, map[string]any{"data": "hello"}})
	}
	for name, options := range map[string]map[string]any{
		"chunks": {"chunkSize": 1000}, "no chunks": {"useChunks": false},
		"no index": {"useChunkIndex": false, "useStatistics": false, "useSummaryOffsets": false, "repeatChannels": false},
	} {
		t.Run(name, func(t *testing.T) {
			var log []byte
			oracle.Ask(t, "mcap-write.mjs", map[string]any{"options": options, "messages": messages}, &log)
			r := read(t, log)
			_, q, err := r.Series("arm.q[0]")
			if err != nil || len(q) != 200 || q[7] != 7 {
				t.Error(len(q), err)
			}
			if got := collect(t, r, Filter{}); len(got) != 400 || got[0].LogTime != 1_700_000_000_000_000_000 {
				t.Error(len(got))
			}
			if c, ok := r.Channel("note"); !ok || c.Type != nil || c.Problem == nil {
				t.Error(c)
			}
			if text, err := r.Attachment("a.txt"); err != nil || string(text) != "hello" {
				t.Error(string(text), err)
			}
			if complete := name == "chunks"; complete != (len(r.Damage()) == 0) {
				t.Error(r.Damage())
			}
		})
	}
}
