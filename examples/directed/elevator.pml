/*
 * An elevator: a cabin between floors, a door, buttons that passengers press, and a controller.
 *
 * The fault: the controller opens the door when it has arrived, and the motor may have been started again by then.
 * Expected: the invariant "the door is open only while the cabin stands" is violated.
 */
#ifndef FLOORS
#define FLOORS 3
#endif

bool opened, moving, wanted[FLOORS];
byte floor, target;

active proctype Passenger() {
	byte i;
	do
	:: i < FLOORS - 1 -> i++
	:: i > 0 -> i--
	:: !wanted[i] -> wanted[i] = true
	od
}

active proctype Controller() {
	byte i;
	do
	:: i < FLOORS - 1 -> i++
	:: i == FLOORS - 1 -> i = 0
	:: wanted[i] && !opened && !moving -> target = i; moving = (floor != i);
		if
		:: floor == i -> wanted[i] = false; opened = true
		:: else -> skip
		fi
	:: opened -> opened = false
	:: moving && floor == target -> wanted[target] = false; opened = true; moving = false
	od
}

active proctype Cabin() {
	do
	:: moving && floor < target -> floor++
	:: moving && floor > target -> floor--
	od
}

active proctype Monitor() { assert(!opened || !moving) }
