// Package browse is the task browser, the prompt of `sinew browse`: it shows and controls a running system through
// its control plane, with its own verbs and everything that scripts know.
//
// # Goroutines
//
//	goroutine          started by   owner  bound                  end
//	one for a message  runTerminal  Run    events and notices on  when the terminal takes it, or the prompt ends
//	                                       their way
package browse
