// Package record writes and reads logs.
//
// A log is an MCAP file of profile ros2: CDR messages with ros2msg schemas, so
// Foxglove, PlotJuggler and ros2 bag open it. A port joint1.position is the
// channel of that name and the topic /joint1/position.
//
//	w, err := record.Create("run.mcap")
//	id, err := w.AddChannel("joint1.position", layout)
//	err = w.Write(record.Sample{Channel: id, LogTime: t, CDR: cdr})
//	err = w.Close()
//
//	r, err := record.Open("run.mcap")
//	times, values, err := r.Series("joint1.position")
//
// Writer hands samples to a goroutine of its own that compresses and writes
// them, chunk by chunk; every FlushInterval everything is on the disk. A crash
// or a power cut loses what came since, and Open reads all that came before. A
// full disk ends the log, cleanly, with one error. Samples that were lost, there
// or before they reached the Writer, are counted by channel: in the channel
// /sinew/losses while the log is written and in the metadata at its end.
//
// CSV writes the same samples as a table. Both are a Sink; Copy goes from a log
// to a Sink.
//
// Times are nanoseconds; since when is up to the caller, as a rule since the
// start of the system.
package record
