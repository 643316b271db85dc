/* Two buffers with one place each, one behind the other. What goes from the first to the second is nobody's business:
   the channel between them has no external name. With -D LEAKY the first buffer may lose what it holds. */
chan entry (extern IN) = [0] of { byte };
chan middle = [0] of { byte };
chan exit (extern OUT) = [0] of { byte };

#include "environment.h"

proctype One(chan from, to)
{
	byte place;
	do
	:: from?place ->
		if
		:: to!place
#ifdef LEAKY
		:: skip
#endif
		fi
	od
}

init {
	atomic { run One(entry, middle); run One(middle, exit); run User(entry, exit) }
}
