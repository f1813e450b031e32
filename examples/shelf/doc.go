// Package shelf is the example of an arm that carries a ball between the compartments of a shelf while an obstacle crosses its way: shelf.yaml
// has the commands. Its test runs it in virtual time.
package shelf
