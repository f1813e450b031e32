// Package deploy places the processes of a system on hosts, and starts, watches and stops them ([Plan], [Supervise]).
//
// A supervisor is a process of its own on each host. It starts the processes of a plan in the order of their needs, waits until
// each is ready, restarts them according to their policies, and stops all in reverse order on request. It does not need the
// console that started it. Its socket, its plan and the output of the processes are in a folder of the system. If it is killed
// the processes continue: they carry a mark by which [Client] and a new supervisor find them.
//
// # Goroutines
//
//	goroutine                 started by      owner      bound                end
//	one for a process         launch          Supervise  processes of a plan  when the process is to run no more; Supervise waits for it
//	one that awaits it        start, inherit  child      1 a process          with the process
//	end of stopped processes  launchAll       Supervise  1                    when what a killed supervisor left of them has ended
//	connections               accept          Supervise  maxConnections       with its request; Supervise waits for it
//	one for a host            Supervise       Supervise  hosts of a plan      when Supervise has stopped the processes; it waits for it
//	the dead-man switch       Supervise       Supervise  1                    as those of the hosts
//	times of the outputs      Supervise       Supervise  1                    as those of the hosts
//	what it does, published   Supervise       Supervise  1                    as those of the hosts
//	the started supervisor    supervise       Client     1                    with the supervisor
//	packing of files          copyFiles       Remote     1 a host             when the host has got the files, or the copy fails
//	look for what shows that  awaitShown      watch      1 a program          when the program is ready or has ended
//	a program is ready
package deploy
