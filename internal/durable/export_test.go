package durable

// LockFile returns the file that stands for a folder in locks.
var LockFile = lockFile
