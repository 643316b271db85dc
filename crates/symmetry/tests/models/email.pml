/* N mail clients send each other messages through one mailer that knows everybody's mailbox. */
#ifndef N
#define N 4
#endif
typedef Mail { byte sender; byte receiver };
chan network = [2] of { byte, byte };
chan mailbox[N + 1] = [1] of { byte };

proctype client() {
  byte to = 0, from = 0;
  do
  :: if
     :: _pid != 1 -> to = 1
     :: _pid != 2 -> to = 2
     :: _pid != 3 -> to = 3
#if N > 3
     :: _pid != 4 -> to = 4
#endif
     fi;
     network!_pid, to;
     to = 0
  :: mailbox[_pid]?from -> assert(from != _pid); from = 0
  od
}

proctype mailer() {
  Mail mail;
  do
  :: atomic {
       network?mail.sender, mail.receiver;
       mailbox[mail.receiver]!mail.sender;
       mail.sender = 0;
       mail.receiver = 0
     }
  od
}

init { byte i; atomic { for (i : 1 .. N) { run client() } run mailer() } }
