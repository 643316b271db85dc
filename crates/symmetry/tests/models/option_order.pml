/* Both processes have the same options, whose continuations differ: the symmetry has to exchange locations as well. */
byte count;
byte place[3];

proctype p() {
  if
  :: count++; A: (count == 2) -> place[1] = _pid
  :: count++; B: (count == 2) -> place[2] = _pid
  fi
}

init { atomic { run p(); run p() } }
