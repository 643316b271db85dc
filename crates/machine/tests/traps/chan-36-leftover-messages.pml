// Messages left in a channel are no error.
chan q = [2] of { byte };
active proctype P() { q!1; q!2 }
