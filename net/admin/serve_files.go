package admin

import "context"

// fileMethods are the endpoints that have to do with the files of the system.
func (s *Service) fileMethods() map[string]method {
	p := s.process
	return map[string]method{
		"types": func(ctx context.Context, q request) (any, error) { return p.Types(ctx, q.Ref, copyOf(q.Named)) },
		"check": func(ctx context.Context, q request) (any, error) { return p.Check(ctx, q.Texts) },
		"tuned": func(ctx context.Context, _ request) (any, error) { return p.Tuned(ctx) },
		"save":  func(ctx context.Context, q request) (any, error) { return p.SaveParams(ctx, q.Changes) },
	}
}
