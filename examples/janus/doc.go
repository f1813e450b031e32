// Package janus contains the experiment of Santini and Lages (2011): system files, a script, and tests of the
// results.
package janus
