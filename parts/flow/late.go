package flow

import "github.com/sinew-robotics/sinew/net/block"

// lateOf writes to late which inputs may have no data while others have: those that close a loop, come from another thread or are not linked.
func lateOf[T any](inputs []block.In[T], late []bool) {
	for i := range inputs {
		late[i] = inputs[i].Late()
	}
}
