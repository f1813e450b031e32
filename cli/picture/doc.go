// Package picture draws robots and their workspaces, with axes in metres, as PNG or SVG.
package picture
