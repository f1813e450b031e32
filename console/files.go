package console

import "net/http"

// robotFile serves a file of a robot that a system reads.
func (s *Server) robotFile(w http.ResponseWriter, r *http.Request) {
	http.NotFound(w, r)
}
