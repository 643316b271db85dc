/* order: 8
   A square, nodes numbered from 1; who is 0 is nobody, until the first message is sent. */
mtype = { packet }
chan link1 = [1] of { mtype };
chan link2 = [1] of { mtype };
chan link3 = [1] of { mtype };
chan link4 = [1] of { mtype };
pid dest = 0, current = 0;

proctype node(chan in; chan across; chan along)
{
again:	atomic {
		in?packet;
		current = _pid;
		if
		:: dest == _pid ->
			if
			:: _pid != 1 -> dest = 1
			:: _pid != 2 -> dest = 2
			:: _pid != 3 -> dest = 3
			:: _pid != 4 -> dest = 4
			fi
		:: else
		fi
	}
	atomic {
		current = 0;
		if
		:: ((_pid - 1) ^ (dest - 1)) & 1 -> across!packet
		:: ((_pid - 1) ^ (dest - 1)) & 2 -> along!packet
		fi
	}
	goto again
}

init {
	atomic {
		run node(link1, link2, link3);
		run node(link2, link1, link4);
		run node(link3, link4, link1);
		run node(link4, link3, link2);
		if
		:: link1!packet; dest = 1
		:: link2!packet; dest = 2
		:: link3!packet; dest = 3
		:: link4!packet; dest = 4
		fi
	}
}
