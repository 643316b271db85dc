// C changes globals of every type; what does not fit is cut off.
byte b = 250; bit t; bool flag; short s; int i; unsigned u : 5; byte a[3]; mtype = { red, green }; mtype m;
active proctype P() {
  byte k;
  do
  :: k < 4 ->
     c_code { now.b += 3; now.t = 3; now.flag = !now.flag; now.s -= 20000; now.i = now.i * 3 + 1; now.u += 9; now.a[1]++; now.m = 2; };
     k++
  :: k >= 4 -> break
  od;
  assert(b == 6 && t == 1 && !flag && s == -14464 && i == 40 && u == 4 && a[1] == 4 && m == red)
}
