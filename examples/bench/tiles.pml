/* Sliding tiles: H by V places, one empty, and a process that moves it. Expected: no error. */
#ifndef H
#define H 3
#endif
#ifndef V
#define V 2
#endif

byte tile[H * V];
byte x, y;

inline swap(dx, dy) {
	tile[y * H + x] = tile[(y + dy) * H + x + dx];
	x = x + dx; y = y + dy;
	tile[y * H + x] = 0
}

init {
	byte i;
	d_step {
		do
		:: i < H * V -> tile[i] = i; i++
		:: else -> break
		od;
		i = 0
	};
	do
	:: d_step { x > 0 -> swap(-1, 0) }
	:: d_step { x < H - 1 -> swap(1, 0) }
	:: d_step { y > 0 -> swap(0, -1) }
	:: d_step { y < V - 1 -> swap(0, 1) }
	od
}
