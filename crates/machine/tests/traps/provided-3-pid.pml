// _pid in a provided clause.
byte turn;
active [2] proctype P() provided (turn == _pid) { turn = 1 - _pid; turn = 1 - _pid }
