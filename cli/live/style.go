package live

import "charm.land/lipgloss/v2"

// Faint returns the style of secondary text.
func Faint() lipgloss.Style { return lipgloss.NewStyle().Faint(true) }

// Bad returns the style of faults and errors.
func Bad() lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true) }
