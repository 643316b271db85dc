// Nobody is provided: deadlock.
byte x;
active proctype P() provided (x == 1) { skip }
