#pragma once
// Version and commit of this program. version.cmake generates the source at each build, so that a new commit
// recompiles that one file only.

#include <string>

namespace emergence {

/// "0.2.0", as in captions and in the key `version` of files.
std::string version();

/// The first ten digits of the commit that the program was built from. "" without git, or if files differ from the
/// commit: that commit could not reproduce the result.
std::string commit();

/// For people: "0.2.0 (1f2d162ab3)"; "0.2.0 (1f2d162ab3+changes)" if files differ; "0.2.0" without git.
std::string version_with_commit();

}  // namespace emergence
