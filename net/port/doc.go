// Package port is what a net knows of blocks: their ports, parameters, operations and calls, whatever their types are.
//
// Authors of blocks use package block, whose In[T], Out[T], Param[T] and other fields have the types. The Inspector of package inspect finds these
// fields and describes a block as an [Instance]. The packages that link blocks (diagram), move their data (exchange), execute them
// (thread) and inspect them (admin, script, console) work with what is here: bytes, counts and CDR.
//
// A [Port], [Parameter] or [Operation] is used by one goroutine at a time: the one that builds the net, then the thread that
// executes the block. Their exported fields do not change once the net is built.
package port
