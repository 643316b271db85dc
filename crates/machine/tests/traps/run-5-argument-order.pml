// Arguments are computed before the process exists.
byte x;
proctype P(byte count) { assert(count == 1) }
init { run P(_nr_pr) }
