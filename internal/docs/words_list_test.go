package docs

import (
	"regexp"
	"strings"
)

// A rule forbids words that read like a translation, or as riddles. CONTRIBUTING.md explains why.
type rule struct {
	word    *regexp.Regexp // in lower and upper case; a space also stands for the end of a line
	unless  *regexp.Regexp // the same place with 40 characters before and behind it: then it is no fault; nil: never
	instead string
	only    string // extension of the files that it holds for; "": all
}

var rules = []rule{
	// The subject is a thing from the vocabulary.
	{words(`(who|whom)(so)?ever`), nil, "name the block, page, user, …", ""},
	{words(`(some|any|every|no)body`), nil, "name the block, page, user, …; no …, every …", ""},
	{words(`whom`), nil, "whose; which user; or name it", ""},
	{words(`who`), words(`(user|person|people|operator|author|caller|driver|stranger|reader|owner|engineer|newcomer)s?,? who`), "the user who …, which user; or name the receiver, page, …", ""},
	{words(`he|him|his`), nil, "they, their; or repeat the noun", ""},

	// A sentence with a full stop: a question may begin so, and so may a title.
	{regexp.MustCompile(`\bWhat\s(?:[^.?!|"\]\n]|\n[ \t]*[^\s.?!|"\]])*\.`), nil, "name the values, lines, links, errors, …", ""},

	// The verbs of the field.
	{words(`tells?|told|telling`), words(`tells?( \S+){0,9} (from|apart)|tell\(.*`), "reports, returns, describes, explains, sends; a boolean reports whether", ""},
	{words(`say (that|what|which|how|where|when|whether)`), nil, "report, state, name, select", ""},
	{words(`says`), nil, "reports, states, describes, explains, names", ""},
	{words(`(is|are|be|was|were) said`), nil, "state it: no configuration is needed", ""},
	{words(`has it that`), nil, "according to …", ""},
	{words(`(can|cannot|could|to|is|are) (be )?had`), nil, "is available; can be loaded, read, opened", ""},
	{words(`(is|are) (not )?to be`), nil, "must be, should be, will be; do not …", ""},
	{words(`makes? \w+ called`), nil, "calls … when …", ""},
	{words(`do(es)? not mind`), nil, "accepts, ignores, is defined for", ""},
	{words(`(falls?|fell|fallen) in error`), nil, "goes into error, went into error", ""},

	// Limits have numbers and names.
	{words(`so (many|long|often|much|manieth)`), words(`so much (of|that)|not so (many|much|long|often)`), "at most n …, for a given time, every nth", ""},

	// Adverbs that help.
	{words(`any longer`), nil, "no longer before the verb", ""},
	{regexp.MustCompile(`(?i)\bno\s+longer[.,;:)"]`), nil, "no longer before the verb", ""},
	{words(`all the same`), nil, "nevertheless, still; or leave it out", ""},
	{words(`by (itself|themselves)`), nil, "automatically; alone", ""},
	{words(`lately`), nil, "recently", ""},
	{words(`anew`), nil, "again", ""},
	{words(`of before`), nil, "the previous …", ""},
	{regexp.MustCompile(`(?i),\s+too\.`), nil, "also before the verb", ""},
}

// words makes the expression of whole words.
func words(expression string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(` + strings.ReplaceAll(expression, " ", `\s+`) + `)\b`)
}

// riddles are file names that say nothing to a newcomer.
var riddles = regexp.MustCompile(`^(beat|chronicle|desk|happening|lead|past|story|twin)s?(_test)?\.(go|ts|svelte)$`)

// oneWord is the name of a test that does not state a behaviour.
var oneWord = regexp.MustCompile(`(?m)^func (Test[A-Z][a-z0-9]*)\(t `)

// testWords are words that the name of a test does not contain, for the same reasons as prose.
var testWords = regexp.MustCompile(`(?m)^func (Test\w*?(?:(?:Any|Every|No|Some)body|Who[A-Z]|Whom|Tells?[A-Z(]|Told(?:[B-Z(]|By)|Says|Anew|Desk)\w*)`)

// allowed are the places where a forbidden word is right.
var allowed = []struct{ path, text, reason string }{
	{"internal/docs/words_list_test.go", "", "the list itself"},
	{"internal/docs/words_test.go", "", "examples of faults"},
	{"CHANGELOG.md", "`By`, `Who` →", "an exported name"},
	{"CHANGELOG.md", "PlannedProcess.Tells`", "an exported name"},
	{"CONTRIBUTING.md", "Never *who*", "names the words"},
	{"CONTRIBUTING.md", "automatically, no longer", "names the words"},
	{"CONTRIBUTING.md", "not *tells*", "names the words"},
	{"net/deploy/plan.go", `json:"tells,`, "a key of stored plans"},
	{"robot/ik/analytic.go", "He and Liu", "an author"},
	{"robot/ik/seven.go", "He and Liu", "an author"},
	{"CONTRIBUTING.md", "*is told*, *says*", "names the words"},
}
