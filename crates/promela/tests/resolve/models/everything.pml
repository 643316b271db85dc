/* Uses every construct of the language once or twice. */
#define N 3
#define PICK(v) select (v : 0 .. N)

mtype = { req, ack, nak };
mtype:colour = { red, green, blue };

typedef Inner { byte a; bool b[2] = true }
typedef Outer { Inner inner[2]; mtype kind; chan back }
typedef Pair { byte first; short second }

byte shared = 1, table[N + 1] = 2, list[3] = { 1, 2, 3 };
int big = -5;
unsigned narrow : 5 = 7;
hidden short scratch;
local bool mine;
Outer outer[2];
chan sync = [0] of { mtype, byte };
chan async[2] = [2] of { mtype, byte };
chan pairs = [3] of { Pair };
chan carriers = [1] of { chan, byte };

c_decl { typedef int number; }
c_state "int hits" "Global" "0"

inline bump(v, by) {
	byte old = v;
	v = old + by
}

inline half(v) { return v / 2 }

proctype Worker(byte id; chan answer; mtype:colour shade) priority 2 provided (shared < 200)
{
	byte i, got;
	Pair p;
	xr answer;

start:	skip;
	do
	:: async[0]?req,got -> answer!ack,got
	:: async[1]??nak,eval(id) -> break
	:: sync?ack,_ -> goto start
	:: async[0]?[req,1] && nempty(answer) ->
		atomic {
			bump(shared, 1);
			d_step {
				i = 0;
				do
				:: i < N -> table[i] = i; i++
				:: else -> break
				od
			}
		}
	:: timeout -> goto finish
	od unless { shared == 100 -> shade = green };

	for (i : 1 .. N) {
		if
		:: table[i] > 1 -> table[i]--
		:: else -> skip
		fi
	}
	for (i in table) { got = got + table[i] }
	for (p in pairs) { p.first = p.second }
	PICK(i);
	i = half(got);
	printf("%d %e %c\n", i, shade, 'x');
	printm(ack);
	assert(i <= 200 && !(big > 0) || (i -> 1 : 0));
	async[0]!!nak,id;
	async[0]?<nak,got>;
	_ = got ^ ~i | (i << 2) & 3;
	set_priority(_pid, 3);
	got = get_priority(_pid) + _nr_pr;
	c_code { now.hits++; };
	c_expr { now.hits > 0 };
finish:	answer = async[1]
}

active [2] proctype Ticker()
{
	byte x = _pid;
	chan own = [1] of { byte };
end:	do
	:: own!x; own?x
	:: x > 250 -> progress: x = 0
	:: carriers?own,x
	:: carriers!own,x
	od
}

init {
	pid child;
	outer[0].inner[1].a = 3;
	outer[1].kind = req;
	outer[0].back = async[0];
	child = run Worker(1, async[1], red);
	run Worker(2, outer[0].back, blue) priority 4;
	sync!ack,3;
	(Worker[child]@finish || Ticker[0]:x == 2)
}

never dead { accept: do :: pc_value(0) > 0 :: np_ || _last == 1 od }

notrace { do :: async[0]!req,_ -> async[0]?req,eval(1) :: break od }

ltl live { [] (shared < 200 -> <> (len(async[0]) == 0)) }
ltl { (Ticker[0]@end U shared == 1) || X (big != 2) }
