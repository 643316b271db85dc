// safety holds
// Equal processes that look at each other's variables through references before they enter.
active [2] proctype P() {
  public bit in; ref P other;
  do :: other = anyRef(P); if :: other != _lid -> break :: else fi od;
  atomic { !P[other].in -> in = 1 };
  assert(!P[other].in);
  in = 0;
end: false
}
