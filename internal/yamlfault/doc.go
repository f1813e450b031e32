// Package yamlfault explains in plain words, with line and column, why a text is not YAML. A parser reports where it gave up, which
// is often lines below the mistake, in terms of its grammar; [Explain] reads the text again for the mistakes that people make: tabs,
// indentation, brackets and quotes that are not closed, a missing colon, comma or space, a value that begins with a reserved
// character. A message that it does not recognize keeps the parser's words and place.
package yamlfault
