// Package mcap writes and reads MCAP files, the container for time-stamped
// messages that Foxglove, PlotJuggler and ros2 bag open. The format is described
// at https://mcap.dev/spec; this package knows all of its records.
//
// A file is a sequence of records, each an opcode, a length and contents:
//
//	magic Header
//	  Chunk MessageIndex…  Chunk MessageIndex…  Attachment  Metadata …  DataEnd
//	  Schema… Channel… Statistics ChunkIndex… AttachmentIndex… MetadataIndex…  SummaryOffset…
//	Footer magic
//
// A Chunk holds messages, and the schemas and channels that first appear there, compressed by zstd under a CRC-32.
// The part after DataEnd repeats and indexes the preceding records, so that a reader need not scan the file.
//
// Writer writes chunk after chunk to an io.Writer; a crash loses only what follows the last full chunk. Reader reads
// by the index or, if a file was cut off or damaged, scans it and takes every complete chunk.
//
// Files are not trusted: their claims are checked against the file's size and the limits of limits.go before memory
// is allocated.
//
// Times are nanoseconds since an instant that the file's writer chooses.
package mcap
