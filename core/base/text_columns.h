#pragma once
// How wide a text is on a terminal.

#include <cstddef>
#include <string_view>

namespace emergence {

/// Columns that UTF-8 text needs: two for a Chinese character or an emoji, none for an accent set on a letter. A byte that
/// is no UTF-8 counts as one.
int columns_of(std::string_view text);

/// The bytes of the longest beginning that fits into so many columns.
size_t bytes_in_columns(std::string_view text, int columns);

}  // namespace emergence
