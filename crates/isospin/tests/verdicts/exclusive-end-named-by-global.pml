// safety violated
// A global that only `xr` names is read whenever somebody receives.
chan c = [1] of { byte }; chan g;
active proctype P() { xr g; g = c; end: false }
active proctype Q() { c!1; c?_ }
