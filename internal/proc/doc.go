// Package proc finds and ends processes of this user: those that carry a mark in their environment, and those that
// hold locks on a file. It reads /proc, so a process need not write any file before it is killed.
//
// A [Process] always refers to the same process: a signal never reaches another program that got the same number
// later. On systems other than Linux no process is found.
//
// # Goroutines
//
//	goroutine  started by  owner       bound        end
//	readiness  AwaitReady  AwaitReady  1 a command  the end that AwaitReady returns
package proc
