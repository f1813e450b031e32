// Package candidate answers questions about candidates, system files that are not saved yet, in child processes: the
// Setup of their blocks is authors' code, which may end, fill or block the process that runs it.
//
// A [Checker] starts children of the same executable with the hidden verb [Verb], which [Command] executes. A child
// has limits of memory and time and its own process group, and dies with its parent. It reads questions as JSON
// objects from its standard input and writes JSON lines: the type of each block before it creates one, and the
// answers.
//
// # Goroutines
//
//	goroutine            started by  owner    bound          end
//	one for a login      add         Checker  maxLogins      when the login's questions are answered
//	answers of a child   startChild  child    1 a child      with the child's output
//	watch of the memory  Command     Command  1, in a child  with its process
//	questions            questions   Command  1, in a child  with its process, which ends with its input
package candidate
