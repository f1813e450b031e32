// Package docs holds nothing but tests: that links of the documentation lead somewhere, that its commands run and that
// its code compiles.
package docs
