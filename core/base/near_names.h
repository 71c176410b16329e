#pragma once
// What to say of a name that nobody knows.

#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// Those of `names` that are most like `name`, the nearest first, at most `most`; none that is too far to be
/// meant. Parts count as well: "8a" is near "wang-8a".
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names,
                                    size_t most = 3);

/// "unknown figure 'wang-9', there are: ..." where the names are few; else those it may have been meant to
/// be, and how to list all, "(list names all)".
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view how_to_list);

}  // namespace emergence
