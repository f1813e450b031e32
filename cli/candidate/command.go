package candidate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	measured "runtime/metrics"
	"time"

	"github.com/spf13/cobra"

	"github.com/sinew-robotics/sinew/net/admin"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/deploy"
)

// Verb is the hidden verb of child processes.
const Verb = "candidate"

// childLine is a line of a child's output: the block it is about to create, or an answer.
type childLine struct {
	Making  string         `json:"making,omitempty"` // type of a block, whose Setup runs next
	Verdict *admin.Verdict `json:"verdict,omitempty"`
}

// Command returns the verb that answers questions about candidates, in order, until its input ends. Only the checker
// starts it. It may end at any time, because it runs authors' code.
func Command(registry *block.Registry) *cobra.Command {
	return &cobra.Command{
		Use: Verb, Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			answers := json.NewEncoder(cmd.OutOrStdout())
			os.Stdout = os.Stderr // the output of blocks must not mix with the answers
			if err := limitChild(); err != nil {
				return fmt.Errorf("limit the check: %w", err)
			}
			debug.SetMemoryLimit(checkMemory / 4 * 3)
			debug.SetMaxStack(checkStack)
			go watchMemory()
			watched := watchedTypes(registry, func(typ string) { _ = answers.Encode(childLine{Making: typ}) })
			for q := range questions(cmd.InOrStdin()) {
				v := answer(admin.LocalChecker{Registry: watched, Notices: deploy.Notices}, q)
				if err := answers.Encode(childLine{Verdict: &v}); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// watchMemory ends the process shortly before memory runs out, since Go can then fail to end cleanly. Its goroutine
// ends with the process.
func watchMemory() {
	sample := []measured.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for {
		measured.Read(sample)
		if sample[0].Value.Uint64()-sample[1].Value.Uint64() > checkMemory/8*7 {
			fmt.Fprintln(os.Stderr, shortOfMemory[0])
			os.Exit(1)
		}
		time.Sleep(memoryLook)
	}
}

// memoryLook is the period at which a child checks its memory.
const memoryLook = 5 * time.Millisecond

// questions reads the questions. When the input ends, because the parent has ended or closed it, the process ends,
// even in the middle of an answer. Its goroutine ends with the process.
func questions(from io.Reader) <-chan admin.Question {
	list := make(chan admin.Question)
	go func() {
		for d := json.NewDecoder(from); ; {
			var q admin.Question
			if err := d.Decode(&q); err != nil {
				if !errors.Is(err, io.EOF) {
					fmt.Fprintln(os.Stderr, "sinew: read the question:", err)
				}
				os.Exit(0)
			}
			list <- q
		}
	}()
	return list
}

// answer answers a question, even if a block panics.
func answer(here admin.LocalChecker, q admin.Question) (v admin.Verdict) {
	defer func() {
		if cause := recover(); cause != nil {
			v = admin.Verdict{Refusal: fmt.Sprintf("%s%v", panicked, cause)}
		}
	}()
	v, err := here.Ask(context.Background(), q)
	if err != nil {
		v.Refusal = err.Error()
	}
	return v
}

// panicked is the prefix of a child's refusal after a block has panicked.
const panicked = "panic: "

// watchedTypes returns the same block types, carriers, encodings and schedulers, each of which is announced before a block is created.
func watchedTypes(registry *block.Registry, report func(typ string)) *block.Registry {
	var entries []block.Entry
	last, registered := "", false // NewRegistry creates one of each
	for _, typ := range registry.Types() {
		e, _ := registry.Lookup(typ)
		make := e.New
		e.New = func() block.Block {
			if registered && typ != last {
				last = typ
				report(typ)
			}
			return make()
		}
		entries = append(entries, e)
	}
	watched := block.NewRegistry(entries, registry.LinkEntries())
	registered = true
	return watched
}
