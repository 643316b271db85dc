/* Who uses a buffer: puts in any of the values 1 .. V and takes out whatever comes, in any order. */
#ifndef V
#define V 4
#endif

proctype User(chan put, get)
{
	byte _value;
	do
	:: put!1
#if V > 1
	:: put!2
#endif
#if V > 2
	:: put!3
#endif
#if V > 3
	:: put!4
#endif
	:: get?_value
	od
}
