// Package hosts gives tests a network of hosts on one machine: network namespaces with processes, mounts and an sshd of
// their own, joined by a switch that the test's own host is at, too. Cables can be pulled, packets lost, hosts started anew.
//
// It wants Linux, root, and the packages iproute2 and openssh-server; tests skip where one of them is missing.
package hosts
