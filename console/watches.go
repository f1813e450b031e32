package console

import "fmt"

// reserve takes room for signals of a watch.
func (s *session) reserve(signals int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.watches) >= maxWatches:
		return fmt.Errorf("watch: this page has %d watches already", maxWatches)
	case s.signals+signals > maxSignals:
		return fmt.Errorf("watch: this page watches %d signals already, at most %d are possible", s.signals, maxSignals)
	}
	s.signals += signals
	return nil
}

func (s *session) release(signals int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signals = max(s.signals-signals, 0)
}

// keep makes a watch one of the session's.
func (s *session) keep(w *watch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.watches[w.id] = w
	return true
}
