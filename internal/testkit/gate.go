package testkit

// RunVariable is carried by every process that a stage of `make test` starts. Tests that give a process an environment of its own
// pass it on.
const RunVariable = "SINEW_TEST_RUN"

// Final is in the output of a failure that does not depend on how busy the machine is. `make test` gives such a test no second
// chance.
const Final = "(no second chance)"
