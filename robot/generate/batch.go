package generate

func (w *writer) batch() error { return nil }

const batchTestText = ""
