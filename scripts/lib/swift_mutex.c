// Tells the thread sanitizer of contended locks of Swift's Mutex. Preloaded by scripts/sanitize threads.
//
// The compiler builds the fast paths of Mutex into the program, where the sanitizer sees them. The path of a thread that
// waits, and the path of a thread that wakes one, are in libswiftSynchronization, which is not instrumented: the fast
// unlock fails while a thread waits, and a failed exchange releases nothing. So without this file a contended lock looks
// like a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._tryLockSlow() -> Swift.Bool
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
// Synchronization._MutexHandle._unlockSlow() -> ()
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define CONTEXT __attribute__((swift_context))
typedef __attribute__((swiftcall)) void LockSlow(uint32_t word, CONTEXT void *mutex);
typedef __attribute__((swiftcall)) _Bool TryLockSlow(CONTEXT void *mutex);
typedef __attribute__((swiftcall)) void UnlockSlow(CONTEXT void *mutex);

LockSlow lock_slow __asm__(LOCK_SLOW);
TryLockSlow try_lock_slow __asm__(TRY_LOCK_SLOW);
UnlockSlow unlock_slow __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void lock_slow(uint32_t word, CONTEXT void *mutex) {
  LockSlow *next = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
  next(word, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) _Bool try_lock_slow(CONTEXT void *mutex) {
  TryLockSlow *next = (TryLockSlow *)dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  _Bool locked = next(mutex);
  if (locked && __tsan_acquire) __tsan_acquire(mutex);
  return locked;
}

__attribute__((swiftcall)) void unlock_slow(CONTEXT void *mutex) {
  UnlockSlow *next = (UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(mutex);
  next(mutex);
}
