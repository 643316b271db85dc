/* order: 6
   Messages are sent sorted, but there is never more than one in the channel. */
chan q = [1] of { byte };
active [3] proctype p()
{
	byte x = 9;
	do
	:: q!!_pid
	:: q?x -> x = 9
	od
}
