// safety violated
// Assigning the variable that `xr` names moves the claim to another channel; before, the other process errs.
chan c = [1] of { byte }; chan d = [1] of { byte };
proctype P(chan v) { xr v; v = d; v!1; v?_ }
proctype Q() { c!1; c?_ }
init { atomic { run P(c); run Q() } }
