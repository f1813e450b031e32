// Package xacro expands xacro documents, the macro language of robot descriptions in ROS, into plain XML.
//
// [Expand] knows properties (lazy, with scope, default, remove and blocks), macros with defaults, inherited values (^) and
// blocks (*b, **b), insert_block, if, unless, include with patterns and namespaces, arg, call, element and attribute;
// ${…} with the expressions that xacro takes from Python, $(arg), $(find), $(eval), $(dirname); load_yaml with units.
// Left out: dictionaries written in an expression, comprehensions, and the environment.
//
// # Errors
//
// Problems go to the caller's report, each at the place where the text was written, inside a macro with the calls that led
// there:
//
//	arm.xacro:2:11: in ${x+y}: y is not defined; did you mean x? (in macro m, called at arm.xacro:3:3)
//
// # Limits
//
// An expansion ends with a problem when it visits more than 2 000 000 elements, nests macros, includes and elements more
// than 400 deep, or reads a YAML file of more than 1 MiB.
package xacro
