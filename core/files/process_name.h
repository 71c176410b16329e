#pragma once
// Names of processes, which files carry to say who writes a folder or computes a job.

#include <string>

namespace emergence {

/// Host, namespace of processes, number and start of this process: no two are the same. "" if the system does not tell
/// when a process started.
std::string this_process();

/// Whether the process of that name has ended. False if it is of another machine, where nobody can look.
bool has_ended(const std::string& process);

}  // namespace emergence
