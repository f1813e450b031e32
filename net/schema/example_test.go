package schema_test

import (
	"fmt"
	"unsafe"

	"github.com/sinew-robotics/sinew/net/schema"
)

// Reading is the data of a sensor block.
type Reading struct {
	Angle   float64 `unit:"rad" doc:"measured angle"`
	IndexOK bool
}

// A value leaves the process as CDR and is displayed elsewhere by its schema text alone.
func Example() {
	t, err := schema.For[Reading]()
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Name())
	fmt.Print(t.Definition())

	l := t.Layout()
	cdr := make([]byte, l.Size())
	l.Encode(cdr, unsafe.Pointer(&Reading{Angle: 0.5, IndexOK: true}))
	fmt.Printf("% x\n", cdr)

	elsewhere, err := schema.Parse(t.Name(), t.Definition())
	if err != nil {
		panic(err)
	}
	value, err := elsewhere.Value(cdr)
	fmt.Println(value, err, elsewhere.Hash() == t.Hash())
	// Output:
	// schema_test_msgs/msg/Reading
	// float64 angle  # [rad] measured angle
	// bool index_ok
	// 00 01 00 00 00 00 00 00 00 00 e0 3f 01
	// [{angle 0.5} {index_ok true}] <nil> true
}

// A type that is not plain data is rejected with the path of the field.
func ExampleFor() {
	type Message struct {
		Stamp int64
		Name  string
	}
	_, err := schema.For[Message]()
	fmt.Println(err)
	// Output:
	// schema: schema_test.Message.Name: string is not plain data: use numbers, bools, arrays and structs of them
}
