// safety violated
chan q = [2] of { byte };
active proctype P() { q!1 }
active proctype Q() { q!2 }
trace { q!1; q!2 }
