#pragma once
// The words, numbers and signs of a quantity or a lesson's condition.

#include <string>
#include <string_view>
#include <vector>

namespace emergence {

struct QuantityToken {
    enum class Kind { word, number, sign, end };
    Kind kind = Kind::end;
    std::string text;
    double number = 0.0;
    bool quoted = false;
    /// The character that it begins with, from 1.
    size_t at = 1;
};

/// A name that needs no quotes.
bool is_plain_word(std::string_view name);

/// Ends with a token of kind end. Throws InputError with the column.
std::vector<QuantityToken> quantity_tokens(std::string_view text);

}  // namespace emergence
