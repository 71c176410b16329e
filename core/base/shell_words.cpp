#include "core/base/shell_words.h"

#include <fmt/format.h>

#include "core/base/utf8.h"

namespace emergence {

namespace {

bool is_shown_as_it_is(std::string_view word) {
    for (size_t at = 0; at < word.size();)
        if (const auto character = next_character(word, at); !character || is_unseen(*character)) return false;
    return true;
}

// A word with bytes that are not printed as they are: printf makes them, in any shell.
std::string printed_word(std::string_view word) {
    std::string format;
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7E || c == '\'' || c == '\\')
            format += fmt::format("\\{:03o}", byte);
        else
            format += c == '%' ? std::string("%%") : std::string(1, c);
    }
    return "\"$(printf '" + format + "')\"";
}

}  // namespace

std::string shell_word(std::string_view word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=_-./,:+@%";
    if (!is_shown_as_it_is(word)) return printed_word(word);
    // zsh replaces a word that begins with "=".
    if (!word.empty() && word.front() != '=' && word.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string path_argument(std::string_view path) { return (path.starts_with('-') ? "./" : "") + std::string(path); }

std::string shell_command(const std::vector<std::string>& arguments) {
    std::string text = "emergence-cli";
    for (const std::string& word : arguments) text += " " + shell_word(word);
    return text;
}

}  // namespace emergence
