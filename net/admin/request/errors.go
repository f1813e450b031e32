package request

import (
	"errors"
	"fmt"

	"github.com/sinew-robotics/sinew/net/admin"
)

// Code is the kind of an [Error], by the numbers of HTTP.
type Code int

// The codes of errors.
const (
	Refused  Code = 400 // the request is wrong or cannot be granted; the text explains why
	Gone     Code = 410 // the system, or the process that answers, has ended
	TooLarge Code = 413 // the request, or its answer
	Version  Code = 426 // client and process are of different versions
	Busy     Code = 429 // ask again later
)

// Error is an error with a code.
type Error struct {
	Code Code
	Text string
}

// Errorf returns an [Error] with the text that fmt.Sprintf makes.
func Errorf(code Code, format string, args ...any) error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

// Error returns the text, without the code.
func (e *Error) Error() string { return e.Text }

// CodeOf returns the code of an error: that of an [Error], [Gone] for [admin.ErrGone], else [Refused].
func CodeOf(err error) Code {
	var coded *Error
	switch {
	case errors.As(err, &coded):
		return coded.Code
	case errors.Is(err, admin.ErrGone):
		return Gone
	}
	return Refused
}
