package console_test

import (
	"fmt"
	"log"
	"net/url"

	"github.com/sinew-robotics/sinew/console"
	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/console/systems"
	"github.com/sinew-robotics/sinew/net/admin/request"
)

// A console is opened, and its address printed for people.
func Example() {
	systems := &systems.InProcess{} // systems.Add shows one
	server, err := console.Open(console.Options{Systems: systems, Users: []sessions.User{
		{Name: "ann", Token: "a long token for ann", Role: request.View},
	}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	address, _ := url.Parse(server.URL())
	fmt.Println(address.Scheme, address.Hostname(), address.Query().Has("token"))
	// Output: http 127.0.0.1 true
}
