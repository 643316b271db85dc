// safety holds; p violated
// The formula looks at the place of one of two equal processes.
bool a[2];
active [2] proctype P() { a[_pid] = true; here: skip }
ltl p { [] !P[1]@here }
