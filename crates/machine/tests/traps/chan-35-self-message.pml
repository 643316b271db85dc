// A process that talks to itself.
chan q = [1] of { byte };
active proctype P() { byte x; do :: q!1 :: q?x -> break od }
