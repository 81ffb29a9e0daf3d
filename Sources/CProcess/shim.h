#pragma once

#if defined(__linux__)
#include <sys/prctl.h>

// Swift cannot call a function with a variable number of arguments.
static inline int gbi_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
#else
static inline int gbi_forbid_dumps(void) { return 0; }
#endif
