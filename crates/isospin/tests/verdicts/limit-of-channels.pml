// safety violated
proctype Temp() { chan q[100] = [1] of { bit }; q[1]!1 }
active proctype P() { run Temp(); run Temp(); run Temp() }
