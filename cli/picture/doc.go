// Package picture draws robots and what they can do, with axes in metres, as PNG or SVG.
package picture
