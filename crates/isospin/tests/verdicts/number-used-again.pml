// safety violated
// The second child gets the number of the first if that has ended.
proctype C() { assert(_pid < 2) }
proctype D() { skip }
init { run D(); run C() }
