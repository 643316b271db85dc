// Waiting for a rendezvous at an end label is a valid end.
chan q = [0] of { byte };
active proctype P() { end: q?_ }
active proctype Q() { skip }
