package run

import (
	"context"
	"fmt"
	"os"

	"github.com/sinew-robotics/sinew/net/clock"
	"github.com/sinew-robotics/sinew/net/thread"
)

// ownThreads are the threads of a net in the process of its front.
type ownThreads struct {
	*Running
	core *thread.Core
}

// useOwnThreads keeps the threads in this process.
func (r *Running) useOwnThreads() {
	core := thread.New(r.sys.Net, r.execution(false))
	r.threads, r.Front = &ownThreads{r, core}, core.Front()
}

// execution returns the options for the threads. pinned is set in the process of a core.
func (r *Running) execution(pinned bool) thread.Options {
	return thread.Options{Profile: r.options.Profile, Until: clock.At(r.options.Until), Pinned: pinned}
}

// follow implements threads.
func (o *ownThreads) follow(notify func([]string)) error {
	if o.options.Virtual {
		return o.core.RunVirtual(context.Background())
	}
	links, err := o.openLinks(o.core, false)
	if err != nil {
		return err
	}
	err = o.core.Run(context.Background(), notify)
	links.closeAfter(err)
	return err
}

// kill implements threads: the caller ends the process.
func (o *ownThreads) kill() string { return fmt.Sprintf("its process (%d) ends by force", os.Getpid()) }

// close implements threads.
func (o *ownThreads) close() {}
