/* order: 18
   Colours mean nothing: S3 on them beside the turns of the ring. */
mtype = { red, green, blue };
mtype colour[3];
proctype P(byte id) {
  do
  :: atomic { colour[id] == 0 -> if :: colour[id] = red :: colour[id] = green :: colour[id] = blue fi }
  :: atomic { colour[id] != 0 && colour[id] == colour[(id + 1) % 3] -> colour[id] = 0 }
  od
}
init { atomic { run P(0); run P(1); run P(2) } }
