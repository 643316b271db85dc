// A label on a loop that can be interrupted, with meaning and as a target of jumps.
byte x, y; bool stop;
active proctype P() { y = 1;
end:	do
	:: x < 3 -> x++
	:: x > 1 -> x--; goto end
	od unless { stop -> y = 0 }
}
active proctype Q() { stop = true }
