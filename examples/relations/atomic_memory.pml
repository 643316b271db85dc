/* What a memory of one bit shall be: two processors write and read it, and every access happens at once.
   cached_memory.pml must not be told apart from it. */
chan load[2] (extern LOAD) = [0] of { bit };
chan store[2] (extern STORE) = [0] of { bit };

bit memory;

active [2] proctype Processor()
{
	do
	:: store[_pid]!0
	:: store[_pid]!1
	:: load[_pid]?_
	od
}

active proctype Memory()
{
	do
	:: store[0]?memory
	:: store[1]?memory
	:: load[0]!memory
	:: load[1]!memory
	od
}
