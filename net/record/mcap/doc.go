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
// A Chunk holds messages, and the schemas and channels that come first there,
// compressed by zstd under a CRC-32. The part behind DataEnd repeats and indexes
// what came before, so that a reader need not go through the file.
//
// Writer writes chunk after chunk to an io.Writer; what is behind the last full
// chunk is all that a crash loses. Reader reads by the index, or, when a file
// was cut off or damaged, goes through it and takes every chunk that is whole.
//
// Times are nanoseconds; since when is up to the writer of the file.
package mcap
