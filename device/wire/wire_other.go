//go:build !linux

package wire

import "errors"

var errSystem = errors.New("this kind of channel is there on Linux only")

func newSerial(*address) (Wire, error)       { return nil, errSystem }
func newPTY(*address) (Wire, error)          { return nil, errSystem }
func newTCP(*address) (Wire, error)          { return nil, errSystem }
func newTCPListener(*address) (Wire, error)  { return nil, errSystem }
func newUDP(*address) (Wire, error)          { return nil, errSystem }
func newUDPListener(*address) (Wire, error)  { return nil, errSystem }
func newCAN(*address) (Wire, error)          { return nil, errSystem }
func newMulticastCAN(*address) (Wire, error) { return nil, errSystem }
