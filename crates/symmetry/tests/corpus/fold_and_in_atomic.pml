/* order: 6
   Each asks all others, one after the other, and remembers whether all agree. */
#define N 3
byte level[N];
byte last[N] = N;

active [N] proctype user()
{
	byte k;
	byte j;
	bool ok;

	do
	:: k = 1;
	   do
	   :: k < N ->
	      level[_pid] = k;
	      last[k] = _pid;
wait:	      atomic {
		ok = true;
		j = 0;
		do
		:: j < N ->
			if
			:: j != _pid -> ok = ok && (level[j] < k)
			:: else
			fi;
			j++
		:: else -> break
		od;
		if
		:: ok || last[k] != _pid
		:: else -> goto wait
		fi
	      };
	      k++
	   :: else -> break
	   od;
	   level[_pid] = 0
	od
}
