// Package cover finds spheres that cover a body: nothing of its surface lies outside them, and they stick out as little as their number allows.
//
// A [Body] is triangles and balls: the collision geometry of a link, whatever it is made of. Curved shapes are enclosed by polyhedra. Meshes may be
// open, inside out or of several parts: only the distance to the surface and the cells of a grid that it encloses are used.
//
// # Method
//
// A ball that lies inside the body and is grown by a tolerance sticks out by no more than the tolerance. Such balls around the cells of the grid that
// are about as far from the surface as any of their neighbours, the medial axis, are the candidates (Stolpner, Kry and Siddiqi 2012, Medial Spheres for
// Shape Approximation); where the body is thinner than a cell, balls around the surface itself. Of them the one that covers most of what is not yet
// covered is taken until everything is covered, which needs few balls more than the least number (Cazals, Dreyfus, Sachdeva and Shah 2014, Greedy
// Geometric Algorithms for Collections of Balls). Each ball then shrinks and moves to what it alone has to cover (Badoiu and Clarkson 2003), and balls
// that others cover are dropped.
//
// The balls cover pieces of triangles, each as a whole by one ball, so no part of the surface is left out between samples. [Check] proves this
// again by other means, for spheres from any source.
package cover
