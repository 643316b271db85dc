// safety violated
// Two equal processes, one of them up and the other not.
active [2] proctype P() { public bit up; up = 1; end: false }
active proctype Q() {
  ref P r; ref P s;
  r = anyRef(P); s = anyRef(P);
  if :: r != s && P[r].up && !P[s].up -> assert(false) :: else fi
}
