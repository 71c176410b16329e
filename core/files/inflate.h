#pragma once
// zlib's deflate, undone within limits.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace emergence {

/// What the zlib stream at the start of `packed` unpacks to, as far as it goes where it is cut off; nothing
/// where it is damaged or would be longer than `limit` bytes.
std::optional<std::string> inflate_text(std::string_view packed, size_t limit);

}  // namespace emergence
