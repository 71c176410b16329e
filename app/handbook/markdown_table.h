#pragma once
// Writing Markdown.

#include <string>
#include <string_view>
#include <vector>

namespace emergence::handbook {

/// Text that shows as it is: marks are escaped, line ends become spaces.
std::string escaped(std::string_view text);
/// `text` as code inside of a cell.
std::string as_code(std::string_view text);

/// "| a | b |\n"; cells are Markdown already.
std::string row(const std::vector<std::string>& cells);
/// A table's first two lines.
std::string head(const std::vector<std::string>& cells);

}  // namespace emergence::handbook
