#pragma once
// Text inside XML and HTML.

#include <string>
#include <string_view>

namespace emergence {

/// The text with `&`, `<`, `>` and `"` as entities.
inline std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const char* name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : nullptr;
        name != nullptr ? out += name : out += c;
    }
    return out;
}

}  // namespace emergence
