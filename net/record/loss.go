package record

// LossChannel is the channel of Loss messages in a log.
const LossChannel = "sinew.losses"

// lossMetadata names the metadata that has the losses of a finished log, by channel.
const lossMetadata = "sinew.losses"

// Loss tells how many samples of a channel have been lost so far.
type Loss struct {
	Channel uint16 `doc:"number of the channel in this file"`
	Lost    uint64 `doc:"samples of it that were lost since the start of the log"`
}
