// Package private creates, checks and uses folders, files and sockets that belong to one user alone: those of the
// control plane, of supervisors, of shared memory and of connections to other hosts. Other users of the machine can
// create any name in /tmp and /dev/shm first; their files are rejected with an error that names them, and never used.
//
// A private folder belongs to the user, gives no rights to group and others, and is not a symbolic link. The folders
// above it belong to the user or to root; if others may write to one, its sticky bit protects its contents. Files in
// it are opened without following a link, and belong to the user alone. Each function checks the folder again at each
// use.
//
// Keys and tokens lie where their user likes; [Secret] checks the file alone.
//
// On systems without such users (Windows) only links are rejected: there each user has a separate folder for
// temporary files.
//
// # Limits
//
// It does not protect against root, nor against a group that the user allows to write to a folder above.
package private
