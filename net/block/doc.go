// Package block is what the author of a block imports: ports, parameters, operations, events and the life cycle.
//
// A block is a pointer to a struct. Its exported fields of the types of this package are what others see of it:
//
//	field             what it is                                     name in files and tools
//	In[T], Out[T]     typed data in and out                          snake_case: displacement_sensor
//	[]In[T], []Out[T] as many of them as Setup makes                 sen1, sen2, …
//	Param[T]          value that can be tuned while running          snake_case: gear_ratio
//	Const[T]          value that is fixed when the system is built   snake_case: peer_name
//	Operation[A, R]   function that others call                      as a verb: moveTo
//	Event[T]          named occurrence that the block emits          as a verb: sample
//	Handler[T]        where events of another block arrive           as a verb: act
//
// They are found by reflection once, when the block is added to a diagram, and never in a step. Struct tags describe
// them:
//
//	doc:"desired position"   what it means; shown by every tool
//	unit:"rad"               links between different units are refused
//	                         of an operation: that of its arguments and its result, but for whole numbers, where their types have none
//	unit:"{Coordinate}/s"    the value of that Const[string] field is a part of the unit; in doc it is a part of the text
//	unit:"{Coordinate.force}"
//	                         the unit of the force along that coordinate: N m for rad, N for m; or its inertia: kg m², kg
//	min:"0" max:"10"         bounds of a parameter, inclusive, for each element; without one it is -1e30 or 1e30, and
//	                         max:"inf" allows infinity: see [port.MaxMagnitude]
//	default:"1"              value of a parameter that is not given
//	spread:"yes"             one element given to a list, in a file or while running, stands for all
//	safe:"0"                 value of an output while the block is in error, or rests for want of data
//	trigger:"yes"            the block runs only when something new has come to one of its triggers
//	required:"yes"           a net in which the input is not linked, or the parameter not given, is refused
//	watch:"yes"              operators want to see this port: it is recorded and summarized by default
//	show:"base_position"     what pictures take a port or operation for: a word that the viewer defines, passed on unchanged
//	part:"sense"             which half of a two-way block the port belongs to: sense or control
//	names:"Signals"          the ports of a slice take their names from that Const[[]string] field
//	name:"kp"                another name than the field's
//
// The behaviour of a block is in its methods: Step, or Sense and Control ([Stepper], [SenseController]), and, where it needs
// them, Setup, Start, Stop, Close and CheckParams. A method that is nearly one of them and would never run, a tag that has no
// meaning, and ports that nothing reads or writes are a [Misuse], found when the type is registered.
//
// Data, arguments, results and events are plain (package schema), because they cross threads, processes and hosts.
// A step must not allocate, lock, block or start goroutines, and returns preallocated errors.
//
// The view that a net has of a block, in which no type is left, is package port. Package inspect leads there; authors need neither.
package block
