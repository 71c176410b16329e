#pragma once
// Unpacks zlib streams, up to a limit.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace emergence {

/// Unpacks the zlib stream at the start of `packed`; a stream that is cut off gives its beginning. nullopt if the
/// stream is damaged, or if it or its text has more than `limit` bytes.
std::optional<std::string> inflate_text(std::string_view packed, size_t limit);

}  // namespace emergence
