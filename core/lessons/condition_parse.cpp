// The grammar of conditions:
//
//     condition = clause { "and" clause }
//     clause    = "answered" | "edited world" | "field" NAME "changed" | sum COMPARISON sum
//     sum       = product { ("+" | "-") product }
//     product   = factor { ("*" | "/") factor }
//     factor    = NUMBER | "(" sum ")" | "before" factor | "other" factor | "step" | … |
//                "curve" PLOT SERIES "at" NUMBER

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/files/limits.h"
#include "core/files/nesting.h"
#include "core/lessons/condition.h"

namespace emergence {
namespace {

struct Token {
    enum class Kind { word, number, sign, end };
    Kind kind = Kind::end;
    std::string text;
    double number = 0.0;
    bool quoted = false;
};

// Bytes above 127 are parts of letters such as φ; γφ' ends with a prime.
bool begins_word(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || byte > 127 || c == '_';
}
bool in_word(char c) {
    return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '\'';
}

// Reads one token at `from`, which is no space, and moves behind it.
Token next_token(std::string_view text, size_t& from) {
    const char first = text[from];
    if (first == '\'') {
        const size_t close = text.find('\'', from + 1);
        if (close == std::string_view::npos) throw InputError("a name begins with ' and does not end");
        Token token{Token::Kind::word, std::string(text.substr(from + 1, close - from - 1)), 0.0, true};
        from = close + 1;
        return token;
    }
    if (begins_word(first)) {
        const size_t begin = from;
        while (from < text.size() && in_word(text[from])) ++from;
        return {Token::Kind::word, std::string(text.substr(begin, from - begin))};
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.') {
        Token token{Token::Kind::number, ""};
        const auto [end, failed] =
            std::from_chars(text.data() + from, text.data() + text.size(), token.number);
        if (failed != std::errc())
            throw InputError(fmt::format("'{}' begins no number", text.substr(from, 20)));
        from = static_cast<size_t>(end - text.data());
        return token;
    }
    const std::string two(text.substr(from, 2));
    const size_t length = two == "<=" || two == ">=" || two == "==" ? 2 : 1;
    if (length == 1 && std::string_view("<>+-*/()").find(first) == std::string_view::npos)
        throw InputError(fmt::format("the sign '{}' is unknown", first));
    from += length;
    return {Token::Kind::sign, two.substr(0, length)};
}

class ConditionParser {
  public:
    explicit ConditionParser(std::string_view text) {
        for (size_t from = 0; from < text.size();)
            if (std::isspace(static_cast<unsigned char>(text[from])) != 0)
                ++from;
            else
                tokens_.push_back(next_token(text, from));
        tokens_.emplace_back();
        check_depth();
    }

    std::vector<Condition::Clause> clauses() {
        std::vector<Condition::Clause> found;
        do found.push_back(clause());
        while (take("and"));
        expect_end();
        return found;
    }
    Quantity whole_quantity() {
        Quantity found = sum();
        expect_end();
        return found;
    }

  private:
    void check_depth() const {
        Nesting nesting;
        for (const Token& token : tokens_) {
            if (token.quoted || token.kind == Token::Kind::number) continue;
            const std::string& text = token.text;
            if (text == "(")
                nesting.open();
            else if (text == ")")
                nesting.close();
            else if (text == "and")
                nesting.next_item();
            else if (text.find_first_of("+-*/") == 0 || text == "before" || text == "other")
                nesting.deepen();
            if (nesting.too_deep())
                throw InputError(
                    fmt::format("is nested deeper than {} levels (parentheses and operations). Write it "
                                "flatter",
                                kDeepestText));
        }
    }
    const Token& now() const { return tokens_[at_]; }
    bool is(std::string_view text, size_t ahead = 0) const {
        if (at_ + ahead >= tokens_.size()) return false;
        const Token& token = tokens_[at_ + ahead];
        return token.kind != Token::Kind::end && !token.quoted && token.text == text;
    }
    bool take(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    std::string found_text() const {
        if (now().kind == Token::Kind::end) return "the end";
        return now().kind == Token::Kind::number ? "a number" : "'" + now().text + "'";
    }
    void expect_end() const {
        if (now().kind != Token::Kind::end)
            throw InputError(fmt::format("nothing is expected where {} stands", found_text()));
    }
    std::string name(const char* of) {
        if (now().kind != Token::Kind::word)
            throw InputError(fmt::format("the name of a {} is expected where {} stands", of, found_text()));
        return tokens_[at_++].text;
    }

    Condition::Clause clause() {
        Condition::Clause found;
        using ClauseKind = Condition::Clause::Kind;
        if (take("answered")) return found;
        if (is("edited") && is("world", 1)) {
            at_ += 2;
            found.kind = ClauseKind::edited_world;
            return found;
        }
        if (is("field") && is("changed", 2)) {
            ++at_;
            found.field = name("field");
            ++at_;
            found.kind = ClauseKind::field_changed;
            return found;
        }
        found.kind = ClauseKind::compared;
        found.left = sum();
        for (const char* sign : {"<", "<=", ">", ">=", "=="})
            if (take(sign)) found.comparison = sign;
        if (found.comparison.empty())
            throw InputError(
                fmt::format("one of <, <=, >, >=, == is expected where {} stands", found_text()));
        found.right = sum();
        return found;
    }

    Quantity sum() {
        Quantity left = product();
        while (is("+") || is("-")) {
            const Quantity::Kind kind =
                tokens_[at_++].text == "+" ? Quantity::Kind::plus : Quantity::Kind::minus;
            left = joined(kind, std::move(left), product());
        }
        return left;
    }
    Quantity product() {
        Quantity left = factor();
        while (is("*") || is("/")) {
            const Quantity::Kind kind =
                tokens_[at_++].text == "*" ? Quantity::Kind::times : Quantity::Kind::over;
            left = joined(kind, std::move(left), factor());
        }
        return left;
    }
    static Quantity joined(Quantity::Kind kind, Quantity left, Quantity right) {
        Quantity both;
        both.kind = kind;
        both.operands.push_back(std::move(left));
        both.operands.push_back(std::move(right));
        return both;
    }

    double plain_number() {
        const double sign = take("-") ? -1.0 : 1.0;
        if (now().kind != Token::Kind::number)
            throw InputError(fmt::format("a number is expected where {} stands", found_text()));
        return sign * tokens_[at_++].number;
    }
    Quantity factor() {
        Quantity found;
        if (take("(")) {
            found = sum();
            if (!take(")")) throw InputError(fmt::format("')' is expected where {} stands", found_text()));
            return found;
        }
        if (now().kind == Token::Kind::number || is("-")) {
            found.number = plain_number();
            return found;
        }
        for (const auto& [word, kind] :
             {std::pair("before", Quantity::Kind::before), std::pair("other", Quantity::Kind::other)})
            if (take(word)) {
                found.kind = kind;
                found.operands.push_back(factor());
                return found;
            }
        return leaf();
    }
    Quantity leaf() {
        Quantity found;
        for (const auto& [word, kind] :
             {std::pair("step", Quantity::Kind::step), std::pair("seeds", Quantity::Kind::seeds),
              std::pair("emerged", Quantity::Kind::emerged), std::pair("failed", Quantity::Kind::failed)})
            if (take(word)) {
                found.kind = kind;
                return found;
            }
        for (const auto& [word, kind] :
             {std::pair("field", Quantity::Kind::field), std::pair("metric", Quantity::Kind::metric),
              std::pair("scalar", Quantity::Kind::scalar)})
            if (take(word)) {
                found.kind = kind;
                found.name = name(word);
                return found;
            }
        if (take("number")) {
            found.kind = Quantity::Kind::scene_number;
            found.name = name("scene");
            found.part = name("number");
            return found;
        }
        if (take("block")) {
            found.kind = Quantity::Kind::block;
            found.name = name("matrix");
            found.part = name("block of rows");
            found.columns = name("block of columns");
            return found;
        }
        if (!take("curve"))
            throw InputError(fmt::format(
                "a number, step, seeds, emerged, failed, field, metric, scalar, number, curve, block, before or other "
                "is expected where {} stands",
                found_text()));
        found.kind = Quantity::Kind::curve;
        found.name = name("plot");
        found.part = name("curve");
        if (!take("at")) throw InputError(fmt::format("'at' is expected where {} stands", found_text()));
        found.number = plain_number();
        return found;
    }

    std::vector<Token> tokens_;
    size_t at_ = 0;
};

InputError quoting(std::string_view text, const InputError& error) {
    constexpr size_t kMostQuoted = 200;
    return InputError(fmt::format("\"{}\": {}", shortened(text, kMostQuoted), error.what()));
}

}  // namespace

Condition parse_condition(std::string_view text) {
    try {
        return {std::string(text), ConditionParser(text).clauses()};
    } catch (const InputError& error) {
        throw quoting(text, error);
    }
}

Quantity parse_quantity(std::string_view text) {
    try {
        return ConditionParser(text).whole_quantity();
    } catch (const InputError& error) {
        throw quoting(text, error);
    }
}

}  // namespace emergence
