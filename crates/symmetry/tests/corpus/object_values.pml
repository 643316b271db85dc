/* order: 36
   Clients and objects: an object is owned by a client. */
byte owner[3] = 255;
active [3] proctype client() {
  byte o = 255;
  do
  :: o == 255 -> atomic { if :: owner[0] == 255 -> o = 0 :: owner[1] == 255 -> o = 1 :: owner[2] == 255 -> o = 2 fi; owner[o] = _pid }
  :: o != 255 -> assert(owner[o] == _pid); atomic { owner[o] = 255; o = 255 }
  od
}
