// Package janus is the experiment of Santini and Lages (2011): system files, a script, and the tests of what they
// show.
package janus
