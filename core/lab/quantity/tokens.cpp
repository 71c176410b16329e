#include "core/lab/quantity/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence {
namespace {

// Bytes above 127 are parts of letters such as φ; γφ' ends with a prime.
bool begins_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || byte > 127 || c == '_';
}
bool in_word(char c) {
    return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '\'';
}

// Reads one token at `from`, which is no space, and moves behind it.
QuantityToken next_token(std::string_view text, size_t& from) {
    using TokenKind = QuantityToken::Kind;
    const char first = text[from];
    if (first == '\'') {
        const size_t close = text.find('\'', from + 1);
        if (close == std::string_view::npos)
            throw InputError("a name begins with ' and does not end. Add a ' behind it");
        QuantityToken token{TokenKind::word, std::string(text.substr(from + 1, close - from - 1)), 0.0, true};
        from = close + 1;
        return token;
    }
    if (begins_word(first)) {
        const size_t begin = from;
        while (from < text.size() && in_word(text[from])) ++from;
        return {TokenKind::word, std::string(text.substr(begin, from - begin))};
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.') {
        QuantityToken token{TokenKind::number, ""};
        const auto [end, failed] = std::from_chars(text.data() + from, text.data() + text.size(), token.number);
        if (failed != std::errc()) throw InputError(fmt::format("'{}' begins no number", text.substr(from, 20)));
        from = static_cast<size_t>(end - text.data());
        return token;
    }
    const std::string two(text.substr(from, 2));
    const size_t length = two == "<=" || two == ">=" || two == "==" ? 2 : 1;
    if (length == 1 && std::string_view("<>+-*/():,%").find(first) == std::string_view::npos)
        throw InputError(fmt::format("the sign '{}' is unknown", first));
    from += length;
    return {TokenKind::sign, two.substr(0, length)};
}

// Characters before `byte`.
size_t characters_before(std::string_view text, size_t byte) {
    return static_cast<size_t>(std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte),
                                             [](char c) { return !continues_character(c); }));
}

}  // namespace

bool is_plain_word(std::string_view name) {
    return !name.empty() && begins_word(name.front()) && std::all_of(name.begin(), name.end(), in_word);
}

std::vector<QuantityToken> quantity_tokens(std::string_view text) {
    std::vector<QuantityToken> tokens;
    size_t column = 1, counted = 0;
    for (size_t from = 0; from < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[from])) != 0) {
            ++from;
            continue;
        }
        column += characters_before(text.substr(counted), from - counted);
        counted = from;
        try {
            tokens.push_back(next_token(text, from));
        } catch (const InputError& error) {
            throw InputError(fmt::format("column {}: {}", column, error.what()));
        }
        tokens.back().at = column;
    }
    tokens.emplace_back();
    tokens.back().at = column + characters_before(text.substr(counted), text.size() - counted);
    return tokens;
}

}  // namespace emergence
