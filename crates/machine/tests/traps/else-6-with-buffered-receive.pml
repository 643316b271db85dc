// else with a receive: possible when there is nothing to receive.
chan q = [1] of { byte };
byte x;
active proctype P() { do :: q?x -> break :: else -> x = 9 od }
active proctype Q() { q!1 }
