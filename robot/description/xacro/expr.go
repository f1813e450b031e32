package xacro

import (
	"slices"
)

const (
	maxExprDepth  = 100     // deepest nesting of an expression
	maxExprLength = 1 << 16 // longest text of an expression, bytes
)

// environment gives the names of an expression their values.
type environment interface {
	// variable returns the value of a name; ok is false when there is none.
	variable(name string) (v value, ok bool, err error)
	// call applies a function beyond those that every expression knows.
	call(name string, args []value) (v value, ok bool, err error)
	// nearest returns the variable that was probably meant by a name, "" for none.
	nearest(name string) string
}

// expression is a compiled expression.
type expression func(environment) (value, error)

// compileExpr parses an expression of the language that xacro takes from Python: numbers, texts, booleans and lists;
// arithmetic, comparison, logic; a if c else b; function calls and indices.
func compileExpr(text string) (expression, error) {
	if len(text) > maxExprLength {
		return nil, exprErrorf(0, "the expression is longer than %d KiB", maxExprLength>>10)
	}
	tokens, err := tokenize(text)
	if err != nil {
		return nil, err
	}
	p := &exprParser{tokens: tokens}
	e, err := p.conditional()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != endToken {
		return nil, exprErrorf(t.offset, "%q is not expected here", t.text)
	}
	return e, nil
}

// exprParser is a recursive-descent parser, a method for each level of precedence.
type exprParser struct {
	tokens []token
	next   int
	depth  int
}

func (p *exprParser) peek() token { return p.tokens[p.next] }

// accept consumes one of the words if it comes next.
func (p *exprParser) accept(words ...string) (token, bool) {
	t := p.peek()
	if (t.kind == operatorToken || t.kind == nameToken) && slices.Contains(words, t.text) {
		p.next++
		return t, true
	}
	return token{}, false
}

func (p *exprParser) expect(word string) error {
	if _, ok := p.accept(word); ok {
		return nil
	}
	t := p.peek()
	if t.kind == endToken {
		return exprErrorf(t.offset, "%q is missing at the end", word)
	}
	return exprErrorf(t.offset, "%q is expected before %q", word, t.text)
}

// conditional: logic [if logic else conditional].
func (p *exprParser) conditional() (expression, error) {
	if p.depth++; p.depth > maxExprDepth {
		return nil, exprErrorf(p.peek().offset, "the expression is nested more than %d deep", maxExprDepth)
	}
	defer func() { p.depth-- }()
	yes, err := p.logic(0)
	if err != nil {
		return nil, err
	}
	if _, ok := p.accept("if"); !ok {
		return yes, nil
	}
	test, err := p.logic(0)
	if err != nil {
		return nil, err
	}
	if err := p.expect("else"); err != nil {
		return nil, err
	}
	no, err := p.conditional()
	if err != nil {
		return nil, err
	}
	return func(env environment) (value, error) {
		t, err := test(env)
		if err != nil {
			return nil, err
		}
		if truth(t) {
			return yes(env)
		}
		return no(env)
	}, nil
}

// logic: or (level 0) binds weaker than and (level 1); both yield the operand that decides.
func (p *exprParser) logic(level int) (expression, error) {
	if level == 2 {
		return p.negation()
	}
	word := [...]string{"or", "and"}[level]
	left, err := p.logic(level + 1)
	for err == nil {
		if _, ok := p.accept(word); !ok {
			return left, nil
		}
		var right expression
		if right, err = p.logic(level + 1); err == nil {
			left = decide(left, right, word == "or")
		}
	}
	return nil, err
}

func decide(left, right expression, stopAt bool) expression {
	return func(env environment) (value, error) {
		v, err := left(env)
		if err != nil || truth(v) == stopAt {
			return v, err
		}
		return right(env)
	}
}

// negation: not negation, or a comparison.
func (p *exprParser) negation() (expression, error) {
	odd := false
	for {
		if _, ok := p.accept("not"); !ok {
			break
		}
		odd = !odd
		if p.peek().text != "not" {
			e, err := p.comparison()
			if err != nil {
				return nil, err
			}
			return func(env environment) (value, error) {
				v, err := e(env)
				return truth(v) != odd, err
			}, nil
		}
	}
	return p.comparison()
}

// comparison: sum {operator sum}; a < b < c means a < b and b < c.
func (p *exprParser) comparison() (expression, error) {
	first, err := p.binary(0)
	if err != nil {
		return nil, err
	}
	var ops []token
	var operands []expression
	for {
		op, ok := p.comparator()
		if !ok {
			break
		}
		e, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		ops, operands = append(ops, op), append(operands, e)
	}
	if len(ops) == 0 {
		return first, nil
	}
	return func(env environment) (value, error) {
		left, err := first(env)
		if err != nil {
			return nil, err
		}
		for i, op := range ops {
			right, err := operands[i](env)
			if err != nil {
				return nil, err
			}
			holds, problem := compare(op.text, left, right)
			if problem != "" {
				return nil, exprErrorf(op.offset, "%s", problem)
			}
			if !holds {
				return false, nil
			}
			left = right
		}
		return true, nil
	}, nil
}

func (p *exprParser) comparator() (token, bool) {
	if t, ok := p.accept("<", ">", "<=", ">=", "==", "!=", "in"); ok {
		return t, true
	}
	if t, ok := p.accept("is"); ok {
		if _, not := p.accept("not"); not {
			t.text = "is not"
		}
		return t, true
	}
	if p.peek().text == "not" && p.tokens[p.next+1].text == "in" {
		t := p.peek()
		p.next += 2
		t.text = "not in"
		return t, true
	}
	return token{}, false
}

// binary: sums (level 0) of products (level 1) of signed factors.
func (p *exprParser) binary(level int) (expression, error) {
	if level == 2 {
		return p.factor()
	}
	ops := [...][]string{{"+", "-"}, {"*", "/", "//", "%"}}[level]
	left, err := p.binary(level + 1)
	for err == nil {
		op, ok := p.accept(ops...)
		if !ok {
			return left, nil
		}
		var right expression
		if right, err = p.binary(level + 1); err == nil {
			left = operate(op, left, right)
		}
	}
	return nil, err
}

func operate(op token, left, right expression) expression {
	return func(env environment) (value, error) {
		a, err := left(env)
		if err != nil {
			return nil, err
		}
		b, err := right(env)
		if err != nil {
			return nil, err
		}
		v, problem := arithmetic(op.text, a, b)
		if problem != "" {
			return nil, exprErrorf(op.offset, "%s", problem)
		}
		return v, nil
	}
}

// factor: signs, then a power; -a**b is -(a**b), a**-b is allowed.
func (p *exprParser) factor() (expression, error) {
	if p.depth++; p.depth > maxExprDepth {
		return nil, exprErrorf(p.peek().offset, "the expression is nested more than %d deep", maxExprDepth)
	}
	defer func() { p.depth-- }()
	if sign, ok := p.accept("+", "-"); ok {
		e, err := p.factor()
		if err != nil {
			return nil, err
		}
		zero := func(environment) (value, error) { return int64(0), nil }
		if sign.text == "-" {
			// -1·x keeps the sign of zero, 0-x does not
			return operate(token{operatorToken, "*", sign.offset}, func(environment) (value, error) { return int64(-1), nil }, e), nil
		}
		return operate(sign, zero, e), nil
	}
	base, err := p.postfix()
	if err != nil {
		return nil, err
	}
	op, ok := p.accept("**")
	if !ok {
		return base, nil
	}
	exponent, err := p.factor()
	if err != nil {
		return nil, err
	}
	return operate(op, base, exponent), nil
}
