// Package hosts provides tests with a network of hosts on one machine: network namespaces with separate processes,
// mounts and sshd, joined by a switch that also connects the test's own host. Tests can pull cables, lose packets and
// restart hosts.
//
// It requires Linux, root, and the packages iproute2 and openssh-server; tests skip if one is missing.
package hosts
