/* Six clients, two at each of three balancers, which pass requests on to any of three servers. */
mtype = { job };
chan nobody = [1] of { mtype };
chan se1 = [1] of { mtype, chan };
chan se2 = [1] of { mtype, chan };
chan se3 = [1] of { mtype, chan };
chan lb1 = [1] of { mtype, chan };
chan lb2 = [1] of { mtype, chan };
chan lb3 = [1] of { mtype, chan };
chan cl1 = [1] of { mtype };
chan cl2 = [1] of { mtype };
chan cl3 = [1] of { mtype };
chan cl4 = [1] of { mtype };
chan cl5 = [1] of { mtype };
chan cl6 = [1] of { mtype };

proctype server(chan in) {
  chan client = nobody;
  do :: in?job(client) -> client!job; client = nobody od
}

proctype balancer(chan in) {
  chan client = nobody;
  do
  :: in?job(client);
     if
     :: len(se1) <= len(se2) && len(se1) <= len(se3) -> se1!job(client)
     :: len(se2) <= len(se1) && len(se2) <= len(se3) -> se2!job(client)
     :: len(se3) <= len(se1) && len(se3) <= len(se2) -> se3!job(client)
     fi;
     client = nobody
  od
}

proctype client(chan own; chan next) {
  do :: next!job(own); own?job od
}

init {
  atomic {
    run server(se1); run server(se2); run server(se3);
    run balancer(lb1); run balancer(lb2); run balancer(lb3);
    run client(cl1, lb1); run client(cl2, lb1);
    run client(cl3, lb2); run client(cl4, lb2);
    run client(cl5, lb3); run client(cl6, lb3)
  }
}
