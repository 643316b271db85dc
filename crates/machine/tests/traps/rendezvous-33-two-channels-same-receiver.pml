// A receiver that listens to two channels.
chan q = [0] of { byte }; chan r = [0] of { byte };
byte x;
active proctype P() { q!1 }
active proctype Q() { r!2 }
active proctype R() { do :: q?x :: r?x :: timeout -> break od }
