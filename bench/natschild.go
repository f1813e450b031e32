package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// natsServer is a site's NATS server, until it is ended: HOST PORT.
func natsServer(arguments []string) error {
	port, err := strconv.Atoi(arguments[1])
	if err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{ServerName: "bench", Host: arguments[0], Port: port, NoLog: true})
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		return errors.New("the server does not start")
	}
	s.WaitForShutdown()
	return nil
}
