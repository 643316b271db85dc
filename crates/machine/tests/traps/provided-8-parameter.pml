// A parameter in an index of a provided clause; the process changes it.
bool stop[4];
byte n[2];
proctype Walker(byte id; byte left) provided (!stop[id] && !stop[left]) {
	do
	:: n[id] < 2 -> n[id]++
	:: n[id] == 2 && left > 0 -> left--
	:: left == 0 -> break
	od
}
proctype Stopper() { stop[1] = true; stop[2] = true; stop[1] = false; stop[2] = false }
init { atomic { run Walker(0, 1); run Walker(1, 3); run Stopper() } }
