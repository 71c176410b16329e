#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#if defined(__SANITIZE_THREAD__)
// Cairo hands freed blocks from thread to thread by atomic operations, which ThreadSanitizer does not see in a library
// that is not compiled with it. Reports whose access lies in Cairo itself are left out; those in this project's code
// around it are not.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() { return "race:libcairo.so\ncalled_from_lib:libcairo.so\n"; }
#endif
