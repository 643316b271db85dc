/* order: 18
   A torus of three by three, neighbours by % and /; all neighbours alike. */
bit v[9];
#define RIGHT ((_pid / 3) * 3 + (_pid + 1) % 3)
#define DOWN ((_pid + 3) % 9)
active [9] proctype p() {
  do
  :: atomic { !v[_pid] && !v[RIGHT] -> v[RIGHT] = 1 - v[RIGHT] }
  :: atomic { !v[_pid] && !v[DOWN] -> v[DOWN] = 1 - v[DOWN] }
  od
}
