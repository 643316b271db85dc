// safety holds; p violated
// The formula tells one of two equal processes from the other.
bool a[2];
active [2] proctype P() { a[_pid] = true }
ltl p { [] (a[1] -> a[0]) }
