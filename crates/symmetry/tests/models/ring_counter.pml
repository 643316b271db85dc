/* A turn goes round among N processes by arithmetic alone. */
#ifndef N
#define N 5
#endif
byte turn = 255;

active [N] proctype node() {
  if
  :: atomic { turn == 255 -> turn = _pid }
  :: turn != 255
  fi;
  do
  :: turn == _pid -> turn = (_pid + 1) % N
  od
}
