/* Atomic operations on a word, and a queue of sleepers in the kernel: `wait` sleeps only if the word still has the expected value, `wake` wakes one of the sleepers. */
byte word;
bit asleep[N];

inline futex_wait(expected) {
	atomic {
		if
		:: word == expected -> asleep[_pid] = 1
		:: word != expected
		fi
	};
	asleep[_pid] == 0
}

inline futex_wake_one() {
	atomic {
		do
		:: k < N && asleep[k] -> asleep[k] = 0; break
		:: k < N -> k++
		:: k == N -> break
		od;
		k = 0
	}
}

inline futex_wake_all() {
	d_step {
		k = 0;
		do
		:: k < N -> asleep[k] = 0; k++
		:: else -> break
		od;
		k = 0
	}
}

inline compare_exchange(expected, new, old) {
	d_step {
		old = word;
		if
		:: word == expected -> word = new
		:: else
		fi
	}
}

inline exchange(new, old) { d_step { old = word; word = new } }
