// Tells the thread sanitizer of locks that Swift's Mutex gets after waiting. Preloaded by scripts/test-threads.
//
// The compiler builds the fast paths of Mutex into the program, where the sanitizer sees them. The path of a thread that
// waits is in libswiftSynchronization, which is not instrumented, so without this file every contended lock looks like a
// race. The releasing thread is always seen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

void __tsan_acquire(void *address) __attribute__((weak));

typedef __attribute__((swiftcall)) void LockSlow(uint32_t word, __attribute__((swift_context)) void *mutex);

LockSlow lock_slow __asm__(LOCK_SLOW);

__attribute__((swiftcall)) void lock_slow(uint32_t word, __attribute__((swift_context)) void *mutex) {
  LockSlow *next = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
  next(word, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}
