package xacro

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sinew-robotics/sinew/robot/description/document"
)

// postfix: an atom and its indices, members and methods.
func (p *exprParser) postfix() (expression, error) {
	e, err := p.atom()
	for err == nil {
		open, ok := p.accept("[", ".")
		switch {
		case !ok:
			return e, nil
		case open.text == ".":
			e, err = p.member(e)
		default:
			var index expression
			if index, err = p.conditional(); err == nil {
				e, err = elementOf(open, e, index), p.expect("]")
			}
		}
	}
	return nil, err
}

func elementOf(open token, list, index expression) expression {
	return func(env environment) (value, error) {
		l, err := list(env)
		if err != nil {
			return nil, err
		}
		i, err := index(env)
		if err != nil {
			return nil, err
		}
		v, problem := at(l, i)
		if problem != "" {
			return nil, exprErrorf(open.offset, "%s", problem)
		}
		return v, nil
	}
}

// member: the name behind a point, a member of a dict or a method.
func (p *exprParser) member(of expression) (expression, error) {
	name := p.peek()
	if name.kind != nameToken {
		return nil, exprErrorf(name.offset, "a name is expected after the point")
	}
	p.next++
	var items []expression
	_, call := p.accept("(")
	if call {
		var err error
		if items, _, err = p.list(")"); err != nil {
			return nil, err
		}
	}
	return func(env environment) (value, error) {
		v, err := of(env)
		if err != nil {
			return nil, err
		}
		args, err := evaluateAll(items, env)
		if err != nil {
			return nil, err
		}
		return memberOf(v, name, call, args)
	}, nil
}

func memberOf(v value, name token, call bool, args []value) (value, error) {
	var problem string
	if !call {
		v, problem = attributeOf(v, name.text)
	} else {
		known := false
		kind := kindOf(v)
		if v, problem, known = exprMethod(v, name.text, args); !known {
			problem = kind + " has no method " + name.text
		}
	}
	if problem != "" {
		return nil, exprErrorf(name.offset, "%s", problem)
	}
	return v, nil
}

// atom: a number, a text, a name, a call, a list, or an expression in parentheses.
func (p *exprParser) atom() (expression, error) {
	t := p.peek()
	p.next++
	switch {
	case t.kind == numberToken:
		return number(t)
	case t.kind == stringToken:
		return func(environment) (value, error) { return t.text, nil }, nil
	case t.kind == nameToken:
		return p.name(t)
	case t.text == "(" && t.kind == operatorToken:
		items, tuple, err := p.list(")")
		if err != nil {
			return nil, err
		}
		if len(items) == 1 && !tuple {
			return items[0], nil
		}
		return listOf(items, t.offset), nil
	case t.text == "[" && t.kind == operatorToken:
		items, _, err := p.list("]")
		if err != nil {
			return nil, err
		}
		return listOf(items, t.offset), nil
	case t.kind == endToken:
		p.next--
		return nil, exprErrorf(t.offset, "the expression ends too early")
	}
	return nil, exprErrorf(t.offset, "%q is not expected here", t.text)
}

// list parses expressions up to a closing bracket; comma reports whether there was one among them.
func (p *exprParser) list(closing string) (items []expression, comma bool, err error) {
	for {
		if _, ok := p.accept(closing); ok {
			return items, comma, nil
		}
		if len(items) > 0 {
			if err := p.expect(","); err != nil {
				return nil, false, exprErrorf(p.peek().offset, "%q or a comma is expected", closing)
			}
			comma = true
			if _, ok := p.accept(closing); ok {
				return items, comma, nil
			}
		}
		e, err := p.conditional()
		if err != nil {
			return nil, false, err
		}
		items = append(items, e)
	}
}

// listOf yields the list of some expressions. Lists do not nest: their size would no longer be bounded by the file's.
func listOf(items []expression, offset int) expression {
	return func(env environment) (value, error) {
		values, err := evaluateAll(items, env)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			if _, nested := v.([]value); nested {
				return nil, exprErrorf(offset, "lists do not hold lists here")
			}
		}
		return values, nil
	}
}

func evaluateAll(items []expression, env environment) ([]value, error) {
	values := make([]value, len(items))
	for i, e := range items {
		var err error
		if values[i], err = e(env); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func number(t token) (expression, error) {
	var v value
	if i, err := strconv.ParseInt(t.text, 0, 64); err == nil {
		v = i
	} else if x, err := strconv.ParseFloat(t.text, 64); err == nil {
		v = x
	} else {
		return nil, exprErrorf(t.offset, "%q is no number", document.Clip(t.text))
	}
	return func(environment) (value, error) { return v, nil }, nil
}

// name: a variable, possibly in a namespace, or the call of a function.
func (p *exprParser) name(t token) (expression, error) {
	if slices.Contains([]string{"if", "else", "and", "or", "not", "in", "is", "lambda", "for"}, t.text) {
		return nil, exprErrorf(t.offset, "%q is not expected here", t.text)
	}
	for {
		if _, ok := p.accept("."); !ok {
			break
		}
		part := p.peek()
		if part.kind != nameToken {
			return nil, exprErrorf(part.offset, "a name is expected after the point")
		}
		p.next++
		t.text += "." + part.text
	}
	if _, ok := p.accept("("); !ok {
		return variable(t), nil
	}
	items, _, err := p.list(")")
	if err != nil {
		return nil, err
	}
	return func(env environment) (value, error) {
		args, err := evaluateAll(items, env)
		if err != nil {
			return nil, err
		}
		return callFunction(t, args, env)
	}, nil
}

// callFunction calls a function; one with a point in its name may be the method of a variable.
func callFunction(t token, args []value, env environment) (value, error) {
	if v, ok, err := env.call(t.text, args); ok || err != nil {
		return v, err
	}
	v, problem, known := exprCall(t.text, args)
	if !known {
		if of, method, ok := cutLast(t); ok {
			v, err := variable(of)(env)
			if err != nil {
				return nil, err
			}
			return memberOf(v, method, true, args)
		}
		return nil, exprErrorf(t.offset, "there is no function %s", t.text)
	}
	if problem != "" {
		return nil, exprErrorf(t.offset, "%s", problem)
	}
	return v, nil
}

// cutLast splits a dotted name before its last part.
func cutLast(t token) (of, last token, ok bool) {
	i := strings.LastIndexByte(t.text, '.')
	if i < 0 {
		return t, token{}, false
	}
	return token{nameToken, t.text[:i], t.offset}, token{nameToken, t.text[i+1:], t.offset + i + 1}, true
}

// variable looks up a name; one with points leads through namespaces or dicts.
func variable(t token) expression {
	return func(env environment) (value, error) {
		v, ok, err := env.variable(t.text)
		if ok || err != nil {
			return v, err
		}
		if v, ok := exprConstants[strings.TrimPrefix(t.text, "math.")]; ok {
			return v, nil
		}
		if of, member, dotted := cutLast(t); dotted {
			d, err := variable(of)(env)
			if err != nil {
				return nil, err
			}
			return memberOf(d, member, false, nil)
		}
		hint := ""
		if n := env.nearest(t.text); n != "" {
			hint = "; did you mean " + n + "?"
		}
		return nil, exprErrorf(t.offset, "%s is not defined%s", t.text, hint)
	}
}
