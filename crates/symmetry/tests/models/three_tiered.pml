/* Three clients each at two servers and two at a third, all servers at one database. */
mtype = { ask, query, answer, done };
chan to_server[3] = [0] of { mtype, byte };
chan to_client[8] = [0] of { mtype };
chan to_database = [0] of { mtype, chan };
chan from_database[3] = [0] of { mtype };
chan nobody = [0] of { mtype };

proctype client(byte id; chan server) {
  do
  :: server!ask(id); to_client[id]?done
  od
}

proctype server(byte id) {
  byte who = 255;
  do
  :: to_server[id]?ask(who) ->
     to_database!query(from_database[id]);
     from_database[id]?answer;
     to_client[who]!done;
     who = 255
  od
}

active proctype database() {
  chan whom = nobody;
  do
  :: to_database?query(whom) -> whom!answer; whom = nobody
  od
}

init {
  atomic {
    run server(0); run server(1); run server(2);
    run client(0, to_server[0]); run client(1, to_server[0]); run client(2, to_server[0]);
    run client(3, to_server[1]); run client(4, to_server[1]); run client(5, to_server[1]);
    run client(6, to_server[2]); run client(7, to_server[2])
  }
}
