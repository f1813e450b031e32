package mcap

// Magic starts and ends a file.
const magic = "\x89MCAP0\r\n"

// opcode is the first byte of a record.
type opcode byte

const (
	opHeader          opcode = 0x01
	opFooter          opcode = 0x02
	opSchema          opcode = 0x03
	opChannel         opcode = 0x04
	opMessage         opcode = 0x05
	opChunk           opcode = 0x06
	opMessageIndex    opcode = 0x07
	opChunkIndex      opcode = 0x08
	opAttachment      opcode = 0x09
	opAttachmentIndex opcode = 0x0a
	opStatistics      opcode = 0x0b
	opMetadata        opcode = 0x0c
	opMetadataIndex   opcode = 0x0d
	opSummaryOffset   opcode = 0x0e
	opDataEnd         opcode = 0x0f
)

const (
	recordHead   = 1 + 8                  // opcode and length of a record
	footerLength = recordHead + 8 + 8 + 4 // the whole Footer
)

// Header is the first record of a file.
type Header struct {
	Profile string // conventions that the channels follow: "ros2"
	Library string // program that wrote the file
}

// Schema describes the contents of messages.
type Schema struct {
	ID       uint16 // not 0
	Name     string // "std_msgs/msg/Float64"
	Encoding string // how Data describes it: "ros2msg"
	Data     []byte // in the Encoding: text for "ros2msg"
}

// Channel is a stream of messages of one kind.
type Channel struct {
	ID       uint16            // any number; one channel has it
	SchemaID uint16            // 0: none
	Topic    string            // "/joint1/position"
	Encoding string            // of the messages: "cdr"
	Metadata map[string]string // free; nil: none
}

// Message is one sample on a channel.
type Message struct {
	ChannelID   uint16
	Sequence    uint32 // counts the messages of a channel; 0 where the writer does not count
	LogTime     uint64 // when it was recorded, ns
	PublishTime uint64 // when it was published, ns
	Data        []byte // in the Encoding of the channel
}

// Metadata is a named set of strings beside the messages.
type Metadata struct {
	Name   string
	Values map[string]string
}

// Attachment is a file within the file.
type Attachment struct {
	LogTime    uint64 // ns
	CreateTime uint64 // ns
	Name       string // of the file, as "system.yaml"
	MediaType  string // "text/yaml"
	Data       []byte
}

// Statistics counts what a file holds.
type Statistics struct {
	Messages     uint64
	Schemas      uint16
	Channels     uint32
	Attachments  uint32
	Metadata     uint32
	Chunks       uint32
	Start, End   uint64            // earliest and latest log time, ns; 0 without messages
	ChannelCount map[uint16]uint64 // messages by ID of the channel
}

// chunkIndex locates a chunk and describes its contents.
type chunkIndex struct {
	start, end     uint64 // log times, ns
	offset, length uint64 // of the whole Chunk record in the file
	indexOffsets   map[uint16]uint64
	indexLength    uint64
	compression    string
	compressed     uint64
	uncompressed   uint64
}

// attachmentIndex locates an Attachment.
type attachmentIndex struct {
	offset, length      uint64
	logTime, createTime uint64
	dataSize            uint64
	name, mediaType     string
}

// metadataIndex locates a Metadata record.
type metadataIndex struct {
	offset, length uint64
	name           string
}
