// What sanitizers should overlook in libraries that are not compiled with them. A sanitizer finds these functions by
// name among the program's exported ones; everything else of a program is hidden.
#define EMERGENCE_EXPORTED __attribute__((visibility("default")))

// NOLINTBEGIN(bugprone-reserved-identifier): the sanitizers' names
extern "C" EMERGENCE_EXPORTED const char* __lsan_default_suppressions();
extern "C" EMERGENCE_EXPORTED const char* __tsan_default_suppressions();

// Fontconfig keeps its configuration until the process ends.
const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }

// Cairo hands freed blocks from thread to thread by atomic operations, which ThreadSanitizer does not see. Reports
// whose access lies in Cairo itself are left out; those in this project's code around it are not. Cairo's locks have to
// be seen, for they order what FreeType and fontconfig do: "called_from_lib" would hide them.
const char* __tsan_default_suppressions() { return "race:libcairo.so\n"; }
// NOLINTEND(bugprone-reserved-identifier)
