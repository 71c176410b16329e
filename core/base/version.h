#pragma once
// Which Emergence this is. The source behind it is generated at each build (version.cmake), so that a new
// commit recompiles that one file and no other.

#include <string>

namespace emergence {

/// "0.2.0": what captions and the key `version` of files say.
std::string version();

/// The first ten digits of the commit that the program was built from. "" without git, and where files differ
/// from the commit: nobody could make the same file from it again.
std::string commit();

/// "0.2.0 (1f2d162ab3)" for people; "0.2.0 (1f2d162ab3+changes)" where files differ, "0.2.0" without git.
std::string version_with_commit();

}  // namespace emergence
