package console

import (
	"context"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/system"
)

type typesRequest struct {
	System string         `json:"system"`
	Type   string         `json:"type"` // only this one
	Params map[string]any `json:"params"`
}

// types returns the types of blocks that a system may have, as the palette of the net editor shows them; where one is named only
// that, as it is with the given parameters. Without a system they are those that the console knows.
func (s *Server) types(ctx context.Context, _ *call, a typesRequest) (any, error) {
	if a.System == "" {
		own := admin.Files{Options: system.Options{Registry: s.options.Registry}}
		return own.Types(a.Type, a.Params)
	}
	who, err := s.authorOf(ctx, a.System)
	if err != nil {
		return nil, err
	}
	return who.Types(ctx, a.Type, a.Params)
}
