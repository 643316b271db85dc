/* Two processors with a cache each. A store goes to the memory and takes the other copy away in the same breath; a copy
   that is gone is fetched again before it is loaded. Nobody outside can tell this from atomic_memory.pml. With -D LAZY the
   other copy stays: then an old value can be loaded after a new one was stored. */
chan load[2] (extern LOAD) = [0] of { bit };
chan store[2] (extern STORE) = [0] of { bit };

bit memory;
bit copy[2];
bool valid[2];

active [2] proctype Processor()
{
	do
	:: store[_pid]!0
	:: store[_pid]!1
	:: load[_pid]?_
	od
}

/* The caches, and the bus between them, which serves one request at a time. */
active proctype Caches()
{
	do
	:: store[0]?memory -> d_step { copy[0] = memory; valid[0] = true }
#ifndef LAZY
		; valid[1] = false
#endif
	:: store[1]?memory -> d_step { copy[1] = memory; valid[1] = true }
#ifndef LAZY
		; valid[0] = false
#endif
	:: d_step { !valid[0] -> copy[0] = memory; valid[0] = true }
	:: d_step { !valid[1] -> copy[1] = memory; valid[1] = true }
	:: atomic { valid[0] -> load[0]!copy[0] }
	:: atomic { valid[1] -> load[1]!copy[1] }
	od
}
