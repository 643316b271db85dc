// _nr_pr counts processes that have ended but are not gone.
byte n;
proctype C() { skip }
init { run C(); run C(); (_nr_pr == 1); n = 1 }
