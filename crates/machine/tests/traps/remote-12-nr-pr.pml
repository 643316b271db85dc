// _nr_pr counts processes that have ended but not died.
byte x;
active proctype P() { skip }
active proctype Q() { x = _nr_pr; (x == 2); _nr_pr == 2 -> skip }
