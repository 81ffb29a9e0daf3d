// The functions of libFuzzer, which comes with the compiler, for programs with their own main.
// Source: compiler-rt, include/fuzzer/FuzzerInterface.h, and "Using libFuzzer as a library".
#pragma once

#include <stddef.h>
#include <stdint.h>

// Runs the fuzzer with the command line's arguments; does not return after a find.
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

// Changes data in place, to at most max_size bytes, and returns its new size.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
