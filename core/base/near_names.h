#pragma once
// Suggestions for an unknown name: "did you mean".

#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// At most `most` of `names`, nearest to `name` first (Levenshtein distance, ignoring case). Omits names that are too
/// far away. A substring counts as near: "8a" finds "wang-8a".
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names,
                                    size_t most = 3);

/// ". Did you mean 'wang-2'?"; "" if none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

/// The message for an unknown name: "unknown figure 'wang-9', there are: wang-1, wang-2. Did you mean 'wang-1'?" with all
/// names if they are few or nothing else lists them, otherwise with the nearest ones and `how_to_list`.
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view how_to_list = "");

}  // namespace emergence
