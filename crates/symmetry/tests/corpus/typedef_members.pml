/* order: 96, processes: 24
   Before init has set them, the fields hold 0, which names process 0, though nobody reads it then.
   Ids inside of structures that are copied field by field. */
typedef Msg { byte src; byte dst; bit ack };
Msg slot[4];
Msg bus;
bit taken;
active [4] proctype node() {
  byte to = 255;
  do
  :: atomic { !taken -> if :: to = 0 :: to = 1 :: to = 2 :: to = 3 fi; bus.src = _pid; bus.dst = to; bus.ack = 1; taken = 1; to = 255 }
  :: atomic { taken && bus.dst == _pid -> slot[_pid].src = bus.src; slot[_pid].dst = bus.dst; slot[_pid].ack = bus.ack;
       assert(slot[_pid].dst == _pid); taken = 0; bus.src = 255; bus.dst = 255; bus.ack = 0;
       slot[_pid].src = 255; slot[_pid].dst = 255; slot[_pid].ack = 0 }
  od
}
init { d_step { bus.src = 255; bus.dst = 255; slot[0].src = 255; slot[1].src = 255; slot[2].src = 255; slot[3].src = 255;
  slot[0].dst = 255; slot[1].dst = 255; slot[2].dst = 255; slot[3].dst = 255 } }
