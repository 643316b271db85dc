/* What comes before a model's embedded C: SPIN's verifier offers the same to it. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define uchar unsigned char
#define ushort unsigned short
#define uint unsigned int
#define ulong unsigned long

struct isospin_extra {
	uchar *hidden;
	void *context;
	void (*print)(void *, const char *, size_t);
	void (*fail)(void *, const char *);
};

ISOSPIN_PRIVATE const struct isospin_extra *isospin_extra;
ISOSPIN_PRIVATE int isospin_failed;

static void isospin_print(int in_searches, const char *format, va_list arguments)
{
	char small[512], *text = small;
	va_list again;
	int length;
	va_copy(again, arguments);
	length = vsnprintf(small, sizeof small, format, arguments);
	if (length >= (int) sizeof small && (text = malloc((size_t) length + 1)))
		vsnprintf(text, (size_t) length + 1, format, again);
	va_end(again);
	if (length > 0 && text) {
		if (isospin_extra)
			isospin_extra->print(isospin_extra->context, text, (size_t) length);
		else if (in_searches)
			fwrite(text, 1, (size_t) length, stderr);
	}
	if (text != small)
		free(text);
}

__attribute__((unused)) static int isospin_printf(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	isospin_print(1, format, arguments);
	va_end(arguments);
	return 0;
}

/* Silent in searches, as in SPIN. */
__attribute__((unused)) static int Printf(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	isospin_print(0, format, arguments);
	va_end(arguments);
	return 0;
}

__attribute__((unused)) static void uerror(const char *why)
{
	if (!isospin_failed && isospin_extra)
		isospin_extra->fail(isospin_extra->context, why);
	isospin_failed = 1;
}

/* Standard output is for the report. */
#undef printf
#undef puts
#undef putchar
#undef stdout
#define printf isospin_printf
#define puts(text) isospin_printf("%s\n", text)
#define putchar(character) isospin_printf("%c", character)
#define stdout stderr
#define Uerror uerror

static void isospin_begin(const struct isospin_extra *extra)
{
	ISOSPIN_LOCK;
	isospin_extra = extra;
	isospin_failed = 0;
}

static int isospin_end(void)
{
	int failed = isospin_failed;
	isospin_extra = 0;
	ISOSPIN_UNLOCK;
	return failed;
}

__attribute__((unused)) static int isospin_get_short(const uchar *from)
{
	short value;
	memcpy(&value, from, 2);
	return value;
}

__attribute__((unused)) static unsigned isospin_get_ushort(const uchar *from)
{
	ushort value;
	memcpy(&value, from, 2);
	return value;
}

__attribute__((unused)) static int isospin_get_int(const uchar *from)
{
	int value;
	memcpy(&value, from, 4);
	return value;
}

__attribute__((unused)) static void isospin_put_short(uchar *to, int given)
{
	short value = (short) given;
	memcpy(to, &value, 2);
}

__attribute__((unused)) static void isospin_put_int(uchar *to, int value)
{
	memcpy(to, &value, 4);
}
