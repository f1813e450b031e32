package cli

import "github.com/spf13/cobra"

func plotCommand() *cobra.Command   { return &cobra.Command{Use: "plot"} }
func reportCommand() *cobra.Command { return &cobra.Command{Use: "report"} }
