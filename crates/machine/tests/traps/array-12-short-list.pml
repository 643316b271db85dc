// A list that is too short: the last value stands for the rest, in every kind of variable.
typedef T { byte f[3] = { 4, 5 }; byte g };
mtype = { red, green, blue };
byte j[3] = { 1, 2 };
byte k[4] = { 7 };
mtype m[3] = { red, green };
T t; T tt[2];
active proctype P() {
	byte l[4] = { 8, 9 };
	bool b[3] = { true };
	T u;
	assert(j[2] == 2 && k[1] == 7 && k[3] == 7 && m[2] == green && t.f[2] == 5 && tt[1].f[0] == 4 && tt[1].f[2] == 5);
	assert(l[2] == 9 && l[3] == 9 && b[2] && u.f[2] == 5);
	assert(j[2] == 0)
}
