#pragma once
// Signals end a program in order: at the first one it saves everything, and at a second one it ends at once.

#include <atomic>
#include <cstddef>
#include <string>

namespace emergence {

/// After this, writing fails if a reader leaves or a file reaches the limit of its size, but the process goes on.
void survive_failed_writes();

/// From now on the first signal that would end the process sets the flag that is returned. A second Ctrl-C, SIGTERM,
/// SIGHUP or SIGQUIT ends the process at once; the warnings of batch systems, such as SIGUSR1 and SIGXCPU, never do. A
/// signal that was ignored when the process began stays ignored, as nohup and background jobs want it. If the CPU time
/// is limited (ulimit -t), SIGXCPU comes early enough to save.
const std::atomic<bool>& catch_signals();

/// "stopped", or the limit that stopped it; "" if no signal came.
std::string stop_reason();

/// The exit code after `code`: of a program that a signal has stopped, what a shell reports of it. Ctrl-C ends the
/// process here by the signal itself, so that a loop in the shell ends too.
int exit_code_after(int code);

// These check that a machine gives enough before a program begins.

/// Throws IoError that names the limit, unless this process may have so much more memory and so many more threads. Some
/// libraries crash or wait for ever at such a limit.
void require_machine(size_t bytes, int threads);

}  // namespace emergence
