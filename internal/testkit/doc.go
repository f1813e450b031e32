// Package testkit contains what the tests of sinew share: random sweeps that print their seed, comparisons within a
// tolerance, waiting for a state ([Await]), the exact count of allocations, the check for remaining goroutines, the path
// of the repository's files, and parts of a test that run as another local user ([TwoUsers]). Only tests import it.
//
// # Goroutines
//
//	goroutine            owner       bound            end
//	reader of a role     User.Start  1 for each role  with the role's process, at the test's end at the latest
package testkit
