package xacro

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// exprError is what is wrong with an expression, at a byte offset in its text.
type exprError struct {
	offset  int
	message string
}

func (e *exprError) Error() string { return e.message }

func exprErrorf(offset int, format string, args ...any) *exprError {
	return &exprError{offset, fmt.Sprintf(format, args...)}
}

// tokenKind is the kind of a token in an expression.
type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	stringToken
	nameToken
	operatorToken
)

// token is one word of an expression; text holds the content of a string without its quotation marks.
type token struct {
	kind   tokenKind
	text   string
	offset int
}

// exprOperators in an order in which a longer one stands before its beginning.
var exprOperators = []string{"**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "(", ")", "[", "]", ",", "."}

// tokenize splits an expression into its tokens; the last one is the end.
func tokenize(s string) ([]token, error) {
	var tokens []token
	for i := 0; ; {
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		if i >= len(s) {
			return append(tokens, token{endToken, "", i}), nil
		}
		t, next, err := nextToken(s, i)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, t)
		i = next
	}
}

// nextToken returns the token at s[i], which is no space, and where it ends.
func nextToken(s string, i int) (token, int, error) {
	c := s[i]
	switch {
	case isDigit(c) || c == '.' && i+1 < len(s) && isDigit(s[i+1]):
		end := endOfNumber(s, i)
		return token{numberToken, s[i:end], i}, end, nil
	case c == '\'' || c == '"':
		text, end, ok := quoted(s, i)
		if !ok {
			return token{}, 0, exprErrorf(i, "the string %s has no closing %c", document.Clip(s[i:]), c)
		}
		return token{stringToken, text, i}, end, nil
	case isLetter(c):
		end := i
		for end < len(s) && (isLetter(s[end]) || isDigit(s[end])) {
			end++
		}
		return token{nameToken, s[i:end], i}, end, nil
	}
	for _, op := range exprOperators {
		if strings.HasPrefix(s[i:], op) {
			return token{operatorToken, op, i}, i + len(op), nil
		}
	}
	for wrong, right := range map[string]string{"&&": "and", "||": "or", "!": "not", "=": "==", "^": "**"} {
		if strings.HasPrefix(s[i:], wrong) {
			return token{}, 0, exprErrorf(i, "%q is no operator here; did you mean %q?", wrong, right)
		}
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return token{}, 0, exprErrorf(i, "%q has no meaning in an expression", r)
}

// endOfNumber returns the end of the number that begins at s[i].
func endOfNumber(s string, i int) int {
	if strings.HasPrefix(s[i:], "0x") || strings.HasPrefix(s[i:], "0X") {
		for i += 2; i < len(s) && (isDigit(s[i]) || isLetter(s[i])); i++ {
		}
		return i
	}
	for ; i < len(s); i++ {
		exponentSign := (s[i] == '+' || s[i] == '-') && (s[i-1] == 'e' || s[i-1] == 'E')
		if !isDigit(s[i]) && s[i] != '.' && s[i] != 'e' && s[i] != 'E' && !exponentSign {
			break
		}
	}
	return i
}

// quoted returns the content of the string that begins at s[i] and where it ends.
func quoted(s string, i int) (text string, end int, ok bool) {
	var b strings.Builder
	for k := i + 1; k < len(s); k++ {
		switch {
		case s[k] == s[i]:
			return b.String(), k + 1, true
		case s[k] == '\\' && k+1 < len(s):
			k++
			switch s[k] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(s[k])
			}
		default:
			b.WriteByte(s[k])
		}
	}
	return "", len(s), false
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}
