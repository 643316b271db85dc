/* order: 1
   An owner's end of a channel is anybody's once it has gone, and only the youngest goes: the last owner goes first. */
chan q[2] = [1] of { byte };
byte ended;
proctype Other() { ended == 2 -> if :: q[0]!1 :: q[1]!1 fi }
proctype Owner(chan c) { xs c; ended++ }
init { atomic { run Other(); run Owner(q[0]); run Owner(q[1]) } }
