/*
 * A circuit of relays: two switches s1 and s2 ask for service, relays k12 and k14 of each side hold each other off.
 *
 * Expected: the assertion that not both sides are served at a time is violated while the relays settle.
 */
bool s1, s2, k12_1, k14_1, k12_2, k14_2, service;

active proctype Switches() {
	do
	:: s1 = !s1
	:: s2 = !s2
	od
}

active proctype Side1() {
	do
	:: atomic { k14_1 != (s1 && !k12_1) -> k14_1 = (s1 && !k12_1) }
	:: atomic { k12_1 != (service && (!s1 || k12_1)) -> k12_1 = (service && (!s1 || k12_1)) }
	od
}

active proctype Side2() {
	do
	:: atomic { k14_2 != (s2 && !k12_2) -> k14_2 = (s2 && !k12_2) }
	:: atomic { k12_2 != (service && (!s2 || k12_2)) -> k12_2 = (service && (!s2 || k12_2)) }
	od
}

active proctype Service() { do :: atomic { service != (k14_1 || k14_2) -> service = (k14_1 || k14_2) } od }

active proctype Monitor() {
	assert(!(k14_1 == (s1 && !k12_1) && k12_1 == (service && (!s1 || k12_1)) && k14_2 == (s2 && !k12_2)
		&& k12_2 == (service && (!s2 || k12_2)) && service == (k14_1 || k14_2)) || !(k14_1 && k14_2))
}
