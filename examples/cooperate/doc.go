// Package cooperate is the example of an arm whose elbow moves aside before a ball while its hand keeps its place: cooperate.yaml
// has the commands. Its tests run it in virtual time, and in two processes.
package cooperate
