#pragma once
// What a shell makes of the commands that are printed.

#include <array>
#include <cstdio>
#include <string>

namespace emergence::testing {

/// The words of a command as sh reads them, each followed by "|".
inline std::string words_of_shell(const std::string& command) {
    FILE* shell = ::popen(("printf '%s|' " + command).c_str(), "r");
    if (shell == nullptr) return "";
    std::string text;
    std::array<char, 256> part{};
    for (size_t count = 0; (count = std::fread(part.data(), 1, part.size(), shell)) > 0;)
        text.append(part.data(), count);
    ::pclose(shell);
    return text;
}

}  // namespace emergence::testing
