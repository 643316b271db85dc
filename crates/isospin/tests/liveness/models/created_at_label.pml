/* expect progress violated holds */
/* The process that is created stands at a progress label from its first moment, so creating it is a visible step. */
bit g;

proctype P()
{
progress:
	do
	:: g = 1 - g
	od
}

active proctype Q()
{
	bit l;
	do
	:: l = 1 - l
	od
}

init { run P() }
