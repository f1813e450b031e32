// Command gate runs the stages of `make test` in two lanes side by side, and reports at its end what a developer needs to know: how long
// each stage took, how much of it on a processor, and how busy the machine was, which tests needed a second run, and for each failed test its file and its output,
// in at most 60 lines.
//
//	go run ./internal/gate [STAGE ...]
//
// Without names it runs all stages, also behind one that fails. Tests that start systems get a second chance, and a third, in a new process:
// a busy machine can delay what they wait for. The library's tests get none, nor does a data race, a leak or an allocation on the
// step path ([testkit.Final]).
//
// Random tests use one seed, so that the same code gets the same answer. Tests wait three times as long for a state
// ([testkit.PatienceVariable]) if the load average is above the number of processors when the gate begins, and when a file of the pages' tests runs again.
//
// Every process that a stage starts inherits the variable [testkit.RunVariable]. A process that still carries it when the stage is over is
// ended and reported. A gate that is terminated ends its stage and reports which tests had not ended.
//
// # Goroutines
//
//	goroutine  started by  owner      bound      end
//	lane       run         run        2          the end of its stages
//	sampling   watchLoad   watchLoad  1 a stage  the end that watchLoad returns
package main
