/* The alternating bit protocol over lines that lose messages. Its service is that of one_place.pml: the traces are the
   same, and so are the failures. But a line can lose every message, for ever: that is a divergence, which fd-refinement
   and testing-equivalence do not forgive. With -D NO_BIT the receiver does not look at the bit, and delivers twice. */
#ifndef N
#define N 2
#endif

chan put (extern PUT) = [0] of { byte };
chan get (extern GET) = [0] of { byte };
chan data = [1] of { byte, bit };
chan ack = [1] of { bit };

active proctype Source()
{
	byte i;
	do
	:: put!i -> i = (i + 1) % N
	od
}

active proctype Sender()
{
	byte message;
	bit own, seen;
	do
	:: put?message ->
		do
		:: data!message, own
		:: ack?seen ->
			if
			:: seen == own -> break
			:: else
			fi
		od;
		own = 1 - own; message = 0; seen = 0
	od
}

active proctype Line()
{
	do
	:: data?_, _
	:: ack?_
	od
}

active proctype Receiver()
{
	byte message;
	bit wanted, got;
	do
	:: data?message, got ->
		if
#ifdef NO_BIT
		:: true -> get!message
#else
		:: got == wanted -> get!message; wanted = 1 - wanted
		:: else
#endif
		fi;
		message = 0;
		ack!got;
		got = 0
	od
}

active proctype Sink()
{
	do
	:: get?_
	od
}
