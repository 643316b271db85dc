/* One buffer with two places. Compare with buffer_chain.pml, a chain of two buffers with one place each.
   An observer of IN and OUT cannot tell them apart: they are even weakly bisimilar. The idea of the pair is that of
   Erdogmus, Verifying Semantic Relations in SPIN (1995). */
chan entry (extern IN) = [0] of { byte };
chan exit (extern OUT) = [0] of { byte };

#include "environment.h"

proctype Two(chan from, to)
{
	byte first, second;
nothing:
	from?first;
one:
	if
	:: to!first -> goto nothing
	:: from?second -> to!first; first = second; goto one
	fi
}

init {
	atomic { run Two(entry, exit); run User(entry, exit) }
}
