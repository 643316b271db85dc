/* Three processes written one by one, as generators do it, each with names of its own. */
byte req_0, req_1, req_2;
byte turn_of;

active proctype P_0() {
  byte x;
NCS: req_0 = 1; goto wait;
wait: if :: turn_of == 0 -> turn_of = 3; x = 3; goto CS fi;
CS: turn_of = 0; req_0 = 0; x = 0; goto NCS
}
active proctype P_1() {
  byte count;
start: req_1 = 1;
try: if :: turn_of == 0 -> turn_of = 7; count = 7; goto inside fi;
inside: turn_of = 0; req_1 = 0; count = 0; goto start
}
active proctype P_2() {
  byte y;
a: req_2 = 1; goto b;
b: if :: turn_of == 0 -> turn_of = 9; y = 9; goto c fi;
c: turn_of = 0; req_2 = 0; y = 0; goto a
}
