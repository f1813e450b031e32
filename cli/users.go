package cli

import (
	"errors"

	"github.com/sinew-robotics/sinew/console/sessions"
	"github.com/sinew-robotics/sinew/net/block"
	"github.com/sinew-robotics/sinew/net/system"
)

// usersOf returns the users that a system file names; none if file is "".
func usersOf(file string, registry *block.Registry) ([]sessions.User, error) {
	if file == "" {
		return nil, nil
	}
	sys, err := system.Load(file, system.Options{Registry: registry})
	if err != nil {
		return nil, err
	}
	return users(sys)
}

// users returns the users who may sign in to the console of a system, besides the one whose address is printed.
func users(sys *system.System) (list []sessions.User, err error) {
	var errs []error
	for _, u := range sys.Users {
		user := sessions.User{Name: u.Name}
		if user.Token, err = u.Token(); err == nil {
			err = user.Role.UnmarshalText([]byte(u.Role))
		}
		errs = append(errs, err)
		list = append(list, user)
	}
	return list, errors.Join(errs...)
}
