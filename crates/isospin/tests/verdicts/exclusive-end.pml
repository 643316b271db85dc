// safety violated
chan q = [2] of { byte };
active proctype P() { xs q; q!1 }
active proctype Q() { skip; if :: q!2 :: skip fi }
