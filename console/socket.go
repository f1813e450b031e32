package console

import (
	"context"
	"io"
	"net/http"

	"github.com/coder/websocket"

	"github.com/sinew-robotics/sinew/console/sessions"
)

const (
	maxFrame    = sessions.MaxMessage + 64<<10 // bytes of a page's WebSocket message: a message of NATS and what stands around it
	relayBuffer = 64 << 10                     // bytes that are sent to a page in one message
)

// serveNATS connects a page's WebSocket with the console's NATS server, which listens nowhere: the page speaks the protocol
// of NATS in binary messages, and signs in with its session's password.
//
// Goroutines: the request's own passes on what the page sends, one more what the server does; both end with either side.
func (s *Server) serveNATS(w http.ResponseWriter, r *http.Request) {
	if err := sessions.ConnOf(r.Context()).UpgradeToWebSocket(); err != nil {
		http.Error(w, err.Error(), http.StatusTooManyRequests)
		return
	}
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // guard has checked the origin
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return // Accept has answered
	}
	socket.SetReadLimit(maxFrame)
	server, err := s.broker.Connect()
	if err != nil {
		_ = socket.Close(websocket.StatusTryAgainLater, "the console ends")
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		toPage(r.Context(), socket, server)
		_ = socket.CloseNow() // what ends one way ends the other
	}()
	fromPage(r.Context(), server, socket)
	_ = server.Close()
	<-ended
}

// toPage sends what the server writes, until either side ends.
func toPage(ctx context.Context, socket *websocket.Conn, server io.Reader) {
	buffer := make([]byte, relayBuffer)
	for {
		n, err := server.Read(buffer)
		if n > 0 && socket.Write(ctx, websocket.MessageBinary, buffer[:n]) != nil || err != nil {
			return
		}
	}
}

// fromPage passes on the messages of a page, text or binary, until either side ends.
func fromPage(ctx context.Context, server io.Writer, socket *websocket.Conn) {
	for {
		_, message, err := socket.Reader(ctx)
		if err != nil {
			return
		}
		if _, err := io.Copy(server, message); err != nil {
			return
		}
	}
}
