package block

import "unsafe"

// manual is a port that keeps a value given by hand until it is released.
type manual interface {
	handPointer() unsafe.Pointer
	hide() // what is there without the value by hand
	byHand() bool
	Release()
}

// Feed gives a port the value in cdr by hand. An input keeps it, whatever its link brings, and an output, whatever its block
// writes, until they are released; an event happens and a handler gets one.
func (p *Port) Feed(cdr []byte) error {
	f := p.views.hand
	if f == nil {
		err := p.layout.Decode(p.field.pointer(), cdr)
		if err == nil {
			p.views.events.inject()
		}
		return err
	}
	before := f.byHand()
	f.hide()
	if err := p.layout.Decode(f.handPointer(), cdr); err != nil {
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

// Release ends what Feed began.
func (p *Port) Release() {
	if p.views.hand != nil {
		p.views.hand.Release()
	}
}

// ByHand reports whether an input or output has a value that was given by hand.
func (p *Port) ByHand() bool { return p.views.hand != nil && p.views.hand.byHand() }

// Renew writes the output p once more if its value was given by hand: for the turn of a block that is not executed.
func (p *Port) Renew() {
	if p.views.out != nil && p.ByHand() {
		p.views.out.Commit()
	}
}
