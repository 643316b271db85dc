/* A lamp that goes out by itself: the text before it was rearranged. lamp_after.pml must be as good in every respect, so
   the relation to ask for is divergence-preserving-branching-bisimulation. */
mtype = { off, dim, bright };
mtype lamp (extern LAMP) = off;
chan button (extern BUTTON) = [0] of { bit };

active proctype Finger()
{
	do
	:: button!1
	od
}

active proctype Control()
{
	do
	:: lamp == off -> button?1 -> lamp = dim
	:: lamp == dim ->
		if
		:: button?1 -> lamp = bright
		:: lamp = off
		fi
	:: lamp == bright ->
		if
		:: button?1 -> lamp = off
		:: lamp = dim
		fi
	od
}
