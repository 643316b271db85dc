// A receiver whose constant does not match is no partner.
chan q = [0] of { byte, byte };
byte x;
active proctype P() { q!1,2; x = 1 }
active proctype Q() { q?2,_ }
active proctype R() { q?1,x }
