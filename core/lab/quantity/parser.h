#pragma once
// The words, numbers and signs of a quantity or a lesson's condition.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/lab/quantity/quantity.h"

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

// The parser of quantities. A lesson's conditions are parsed on top of it.
//
//     sum        = product { ("+" | "-") product }
//     product    = factor { ("*" | "/") factor }
//     factor     = NUMBER | "(" sum ")" | "abs(" sum ")" | ("least" | "greatest") "(" sum {"," sum} ")"
//                | REDUCTION "(" sum {"," sum} ["of" SEEDS] ")" | "run" RUN ":" factor
//                | "runs" RUN {"," RUN} ":" factor | "over x" ["from" SHARE "to" SHARE] REDUCTION "(" sum ")" | leaf
//     condition  = comparison {"and" comparison}                     in share( ) and count( ), instead of a sum
//     comparison = sum [("<" | "<=" | ">" | ">=" | "==") sum]

class QuantityParser {
  public:
    /// `moments`: words for other runs or moments of the run, such as `before`: `before metric msve`. Throws InputError
    /// if the text nests too deep.
    explicit QuantityParser(std::string_view text, std::vector<std::string> moments = {});

    /// The whole text. Throws InputError with the column.
    Quantity whole();
    Quantity sum();
    /// Throws InputError if no sign of comparison follows the sum, and `needed`.
    Quantity comparison(bool needed);

    bool is(std::string_view text, size_t ahead = 0) const;
    bool take(std::string_view text);
    std::string name(const char* of);
    void expect_end() const;

  private:
    static const QuantityWord* word_of(const QuantityToken& token);
    void check_depth() const;
    const QuantityToken& now() const { return tokens_[at_]; }
    bool is_moment(const QuantityToken& token) const;
    bool is_call() const { return is("(", 1); }
    [[noreturn]] void expected(const std::string& what) const;
    [[noreturn]] void no_word() const;
    std::optional<QuantityKind> take_one_of(const std::vector<std::pair<std::string_view, QuantityKind>>& signs);
    void expect(std::string_view sign);
    Quantity joined(Quantity::Kind kind, Quantity left, Quantity right) const;
    double plain_number();
    int whole_number();
    Quantity product();
    Quantity factor();
    Quantity condition();
    Quantity of_other_run();
    Quantity of_several_runs();
    Quantity run_named();
    Quantity over(QuantityKind kind);
    double percent();
    void place(Quantity& leaf);
    Quantity call();
    void seeds_counted(Quantity& reduction);
    Quantity leaf();

    std::vector<QuantityToken> tokens_;
    std::vector<std::string> moments_;
    size_t at_ = 0;
    /// Inside `over x`.
    bool at_x_ = false;
};

/// The error with the text before it, shortened.
InputError quoting(std::string_view text, const InputError& error);

}  // namespace emergence
