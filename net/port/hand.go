package port

// Feed gives a port the value in cdr by hand. An input keeps it, whatever its link brings, and an output, whatever its block
// writes, until they are released; an event happens and a handler gets one. Its numbers must be finite and at most
// [MaxMagnitude] from 0.
func (p *Port) Feed(cdr []byte) error {
	if err := p.limits.check(p.layout, cdr); err != nil {
		return err
	}
	f := p.views.hand
	if f == nil {
		err := p.layout.Decode(p.field.Pointer(), cdr)
		if err == nil {
			p.views.events.Inject()
		}
		return err
	}
	before := f.ByHand()
	f.Hide()
	if err := p.layout.Decode(f.HandPointer(), cdr); err != nil {
		if !before {
			f.Release()
		}
		return err
	}
	if p.views.out != nil {
		p.views.out.Commit()
	}
	return nil
}

// CheckFeed returns why [Port.Feed] refuses the numbers in cdr, for tools: the error names the number. It allocates.
func (p *Port) CheckFeed(cdr []byte) error { return p.limits.explain(p.Name, p.Unit, p.layout, cdr) }

// Release ends what Feed began.
func (p *Port) Release() {
	if p.views.hand != nil {
		p.views.hand.Release()
	}
}

// ByHand reports whether an input or output has a value that was given by hand.
func (p *Port) ByHand() bool { return p.views.hand != nil && p.views.hand.ByHand() }

// Renew writes the output p once more if its value was given by hand: for the turn of a block that is not executed.
func (p *Port) Renew() {
	if p.views.out != nil && p.ByHand() {
		p.views.out.Commit()
	}
}
