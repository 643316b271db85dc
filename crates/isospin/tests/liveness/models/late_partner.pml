/* expect accept violated violated */
/* Before the second P exists the model is not symmetric; from then on it is, if it is ignored that P disappears. A chain of steps that
   are passed over must not begin before that state and end behind it: P would disappear on the way. */
bit g;
bit a[4];
proctype P() { a[_pid] = 1 - a[_pid]; done: skip }
active proctype Q()
{
	bit l;
accept_0:
	if
	:: g = 1 - g -> goto accept_0
	:: l = 1 - l -> goto accept_0
	:: l == 0 -> goto wait
	fi;
wait:
	if
	:: g = 1 - g -> goto wait
	:: a[_pid] == 1 -> goto accept_0
	fi
}
init { run P(); run P() }
