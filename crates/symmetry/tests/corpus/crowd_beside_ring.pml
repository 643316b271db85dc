/* order: 24
   A crowd of three holds up a ring of four: C4 x S3. */
byte lock = 9, token = 9;
proctype Ring(byte id) {
  do
  :: atomic { token == id && lock == 9 -> token = (id + 1) % 4 }
  :: atomic { token == 9 -> token = id }
  od
}
proctype Crowd(byte id) { do :: atomic { lock == 9 -> lock = id } :: atomic { lock == id -> lock = 9 } od }
init { atomic { run Ring(0); run Ring(1); run Ring(2); run Ring(3); run Crowd(0); run Crowd(1); run Crowd(2) } }
