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
// Writer hands samples to its own goroutine, which compresses and writes them chunk by chunk: every WriteInterval all
// samples are in the file, every FlushInterval on the disk. If the process dies, the samples since the last write are
// lost; after a power cut, those since the last flush. Open reads everything before. A full disk ends the log cleanly
// with one error, which OnFailure reports immediately. No file is ever overwritten: SetAside makes room for a new log
// and keeps earlier ones. Lost samples, there or before they reached the Writer, are counted for each channel: in the
// channel /sinew/losses while the log is written and in the metadata at its end.
//
// CSV writes the same samples as a table. Both are a Sink; Copy copies from a log to a Sink.
//
// Times are nanoseconds since an instant that the caller chooses, usually the start of the system.
//
// # Goroutines
//
//	goroutine  started by  owner   bound       end
//	output     newWriter   Writer  1 a Writer  Writer.Close, which waits for it
package record
