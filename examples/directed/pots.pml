/*
 * Plain old telephony: users that call each other through handlers. The question is whether conversations can be established at all.
 *
 * Expected: the assertion that never are two pairs in conversation at a time is violated: calls can be made.
 */
#ifndef N
#define N 4
#endif

mtype = { idle, tone, dialling, calling, ringing, talking };
mtype phone[N] = idle;
byte partner[N] = N;

active [N] proctype User() {
	byte me = _pid, other;
	do
	:: atomic { phone[me] == idle -> phone[me] = tone }
	:: atomic { phone[me] == tone -> phone[me] = idle }
	:: atomic { phone[me] == tone -> phone[me] = dialling; other = (me + 1) % N }
	:: atomic { phone[me] == dialling && other != me -> other = (other + 1) % N }
	:: atomic { phone[me] == dialling -> phone[me] = idle }
	:: atomic { phone[me] == dialling && other != me && phone[other] == idle ->
		phone[me] = calling; phone[other] = ringing; partner[me] = other; partner[other] = me }
	:: atomic { phone[me] == ringing -> phone[me] = talking; phone[partner[me]] = talking }
	:: atomic { phone[me] == calling -> phone[partner[me]] = idle; phone[me] = idle }
	:: atomic { phone[me] == talking -> phone[partner[me]] = idle; phone[me] = idle }
	od
}

active proctype Monitor() {
	assert(!(phone[0] == talking && phone[1] == talking && phone[2] == talking && phone[3] == talking))
}
