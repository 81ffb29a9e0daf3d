#pragma once

#if defined(__linux__)
#include <sys/prctl.h>

// Swift cannot call a variadic function.
static inline int gbi_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
#else
static inline int gbi_forbid_dumps(void) { return 0; }
#endif

#include <locale.h>
#include <stdint.h>
#include <wchar.h>

// Not every module map of the C library exports this function.
extern int wcwidth(wchar_t character);

static inline locale_t gbi_utf8_locale(void) {
  static locale_t locale = (locale_t)0;
  static int is_asked_for = 0;
  if (!is_asked_for) {
    locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    is_asked_for = 1;
  }
  return locale;
}

// 1 when the system has a locale with character widths. Not safe for concurrent calls.
static inline int gbi_knows_widths(void) { return gbi_utf8_locale() != (locale_t)0; }

// The number of columns of a character; -1 when it is not printable or its width is unknown.
static inline int gbi_display_width(uint32_t character) {
  locale_t locale = gbi_utf8_locale();
  if (locale == (locale_t)0) return -1;
  locale_t before = uselocale(locale);
  int width = wcwidth((wchar_t)character);
  uselocale(before);
  return width;
}
