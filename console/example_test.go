package console_test

import (
	"fmt"
	"log"
	"net/url"

	"github.com/sinew-robotics/sinew/console"
)

// A console is opened, and its address printed for people.
func Example() {
	systems := &console.InProcess{} // systems.Add shows one
	server, err := console.Open(console.Options{Systems: systems, Users: []console.User{
		{Name: "ann", Token: "a long token for ann", Role: console.View},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	address, _ := url.Parse(server.URL())
	fmt.Println(address.Scheme, address.Hostname(), address.Query().Has("token"))
	// Output: http 127.0.0.1 true
}
