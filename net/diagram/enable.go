package diagram

import (
	"reflect"

	"github.com/sinew-robotics/sinew/net/block"
)

// OnEnable states what the blocks of a group do when they are enabled again.
type OnEnable uint8

// The actions of blocks that are enabled again.
const (
	AsAround OnEnable = iota // what the group around states; hold where none does
	Hold                     // go on with the state that they had
	Reset                    // begin again: each block that is a block.Restarter restarts
)

// noteRestarts notes which blocks begin again when they are enabled again: the innermost group that states it decides.
func (d *Diagram) noteRestarts() {
	for _, b := range d.blocks {
		for _, g := range d.around(b.Name) {
			if g.OnEnable != AsAround {
				b.restarts = g.OnEnable == Reset
			}
		}
	}
}

// restartNotices returns the blocks that a group wants to begin again, but that may have a state and cannot.
func (d *Diagram) restartNotices() (list []Notice) {
	for _, b := range d.blocks {
		if _, can := b.Block.(block.Restarter); b.restarts && !can && mayHaveState(b.Block) && d.here(b.thread) {
			list = append(list, Notice{b.Source, "block \"" + b.Name + "\" (" + b.Type + ") goes on with the state that it has when its group is enabled again, in spite of on_enable: reset: its type has no method Restart"})
		}
	}
	return list
}

// mayHaveState reports whether a block's struct has fields of its own beside ports, parameters, operations and events.
func mayHaveState(b block.Block) bool {
	t := reflect.TypeOf(b).Elem()
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() {
			return true
		}
	}
	return false
}
