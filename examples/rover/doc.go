// Package rover is the example of a vehicle that turns by skidding, and three estimates of where it is: rover.yaml has the commands. Its test runs
// it in virtual time.
package rover
