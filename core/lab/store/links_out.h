#pragma once
// The folder of a run, a sweep or a figure may come from somebody else: what Emergence reads and writes there has to lie
// in it.

#include <filesystem>

namespace emergence {

/// Throws InputError if `folder`, or one in it that Emergence uses, holds a symbolic link that leads out of `folder`, or
/// what is neither a file nor a folder: a pipe, a device. `folder` itself may be a link. Does nothing if it does not exist.
void refuse_links_out(const std::filesystem::path& folder);

}  // namespace emergence
