#pragma once
// What the system answers at a limit, in words that name the limit and what to do.

#include <exception>
#include <string>
#include <system_error>

namespace emergence {

/// For an errno: "the limit on open files is reached: 4 (ulimit -n). Raise it", else the system's own words.
std::string error_text(int error);
inline std::string error_text(const std::error_code& error) { return error_text(error.value()); }

/// For std::bad_alloc.
std::string out_of_memory_text();

/// "3 of 64 threads were started: the limit ...".
std::string fewer_threads_text(int started, int asked);

/// What `error` says to a person: its own words, or those above for what the system throws.
std::string reason_of(const std::exception& error);

/// True if the machine or a permission, and not the file, is why a file cannot be opened or read.
bool is_of_machine(int error);

}  // namespace emergence
