/* order: 2
   Two values that exclude each other. */
mtype = { idle, busy, done }
mtype one = idle, other = idle;

active proctype p() { do :: one == idle && one != busy -> one = busy :: one == busy -> one = done :: one == done || one == done -> one = idle od }
active proctype q() { do :: other == idle -> other = busy :: !(other != busy) -> other = done :: other == done -> other = idle od }
