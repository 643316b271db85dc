// _last: the process that moved last.
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { _last == 0 -> x = 3; assert(_last == 0 || _last == 1) }
