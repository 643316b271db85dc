/* The lamp of lamp_before.pml with a state for each brightness in place of questions about it. With -D SHORT a press on
   the button no longer switches a bright lamp off. */
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
Off:
	button?1; lamp = dim;
Dim:
	if
	:: button?1 -> lamp = bright
	:: lamp = off; goto Off
	fi;
	if
#ifdef SHORT
	:: button?1 -> lamp = dim; goto Dim
#else
	:: button?1 -> lamp = off; goto Off
#endif
	:: lamp = dim; goto Dim
	fi
}
