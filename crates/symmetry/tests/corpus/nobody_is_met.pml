/* order: 1
   The same square, but nodes may look before the first message is sent, and nobody is 0: its bits are those of -1. */
mtype = { packet }
chan link1 = [1] of { mtype };
chan link2 = [1] of { mtype };
chan link3 = [1] of { mtype };
chan link4 = [1] of { mtype };
pid dest = 0;

proctype node(chan in; chan across; chan along)
{
	do
	:: in?packet;
	   atomic {
		if
		:: ((_pid - 1) ^ (dest - 1)) & 1 -> across!packet
		:: ((_pid - 1) ^ (dest - 1)) & 2 -> along!packet
		:: else -> dest = 1
		fi
	   }
	:: atomic {
		((_pid - 1) ^ (dest - 1)) & 1;
		if
		:: nempty(across) -> across?packet; in!packet
		:: else
		fi
	   }
	od
}

init {
	atomic {
		run node(link1, link2, link3);
		run node(link2, link1, link4);
		run node(link3, link4, link1);
		run node(link4, link3, link2)
	}
	if
	:: link1!packet; dest = 4
	:: link2!packet; dest = 3
	:: link3!packet; dest = 2
	:: link4!packet; dest = 1
	fi
}
