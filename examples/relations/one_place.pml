/* The service of the alternating bit protocol: one message after the other, each delivered once. */
#ifndef N
#define N 2
#endif

chan put (extern PUT) = [0] of { byte };
chan get (extern GET) = [0] of { byte };

active proctype Source()
{
	byte i;
	do
	:: put!i -> i = (i + 1) % N
	od
}

active proctype Buffer()
{
	byte message;
	do
	:: put?message -> get!message; message = 0
	od
}

active proctype Sink()
{
	do
	:: get?_
	od
}
