package record

// LossChannel is the name of the channel of Loss messages in a log.
const LossChannel = "sinew.losses"

// lossMetadata is the name of the metadata with the losses of each channel in a finished log.
const lossMetadata = "sinew.losses"

// Loss reports how many samples of a channel have been lost so far.
type Loss struct {
	Channel uint16 `doc:"number of the channel in this file"`
	Lost    uint64 `doc:"samples of it that were lost since the start of the log"`
}
