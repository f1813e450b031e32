package main

import (
	"log"
	"os"
)

func Example() {
	if err := os.Chdir("../.."); err != nil {
		log.Fatal(err)
	}
	main()
	// Output:
	// goal [-0.000 -0.351 0.000 -2.473 0.000 2.122 0.800] rad
	// torques [0.00 -17.59 -0.31 22.01 0.54 2.28 -0.00] N m
	// arrived after 568 ms
}
