/* order: 6 */
byte t = 255;
active [3] proctype p() {
idle: if :: t == 255 -> goto want :: t != 255 -> goto idle fi;
want: atomic { if :: t == 255 -> t = _pid :: else -> goto idle fi };
crit: t = 255; goto idle
}
