// Parses quantities, and conditions on them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {
namespace {

struct QuantityToken {
    enum class Kind { word, number, sign, end };
    Kind kind = Kind::end;
    std::string text;
    double number = 0.0;
    bool quoted = false;
    /// The character that it begins with, from 1.
    size_t at = 1;
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
QuantityToken next_token(std::string_view text, size_t& from) {
    using TokenKind = QuantityToken::Kind;
    const char first = text[from];
    if (first == '\'') {
        const size_t close = text.find('\'', from + 1);
        if (close == std::string_view::npos)
            throw InputError("a name begins with ' but does not end. Add a ' after it");
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
        if (failed != std::errc()) throw InputError("'{}' does not begin a number", text.substr(from, 20));
        from = static_cast<size_t>(end - text.data());
        return token;
    }
    const std::string two(text.substr(from, 2));
    const size_t length = two == "<=" || two == ">=" || two == "==" ? 2 : 1;
    if (length == 1 && std::string_view("<>+-*/():,%").find(first) == std::string_view::npos)
        throw InputError("the sign '{}' is unknown", first);
    from += length;
    return {TokenKind::sign, two.substr(0, length)};
}

// The tokens of a text, the last one of kind end. Throws InputError with the column.
std::vector<QuantityToken> quantity_tokens(std::string_view text) {
    std::vector<QuantityToken> tokens;
    size_t column = 1;
    for (size_t from = 0; from < text.size();) {
        const size_t begin = from;
        if (std::isspace(static_cast<unsigned char>(text[from])) != 0) {
            ++from;
        } else {
            try {
                tokens.push_back(next_token(text, from));
            } catch (const InputError& error) {
                throw InputError("column {}: {}", column, error.what());
            }
            tokens.back().at = column;
        }
        column += static_cast<size_t>(
            count_if(text.substr(begin, from - begin), [](char c) { return !continues_character(c); }));
    }
    tokens.emplace_back();
    tokens.back().at = column;
    return tokens;
}

using Signs = std::vector<std::pair<std::string_view, QuantityKind>>;
const Signs kSums = {{"+", QuantityKind::plus}, {"-", QuantityKind::minus}};
const Signs kProducts = {{"*", QuantityKind::times}, {"/", QuantityKind::over}};
const Signs kComparisons = {{"<", QuantityKind::less},
                            {"<=", QuantityKind::at_most},
                            {">", QuantityKind::more},
                            {">=", QuantityKind::at_least},
                            {"==", QuantityKind::equal}};

// Gives each reduction in it the operands of all runs. False if it has none.
bool pooled(Quantity& quantity, const std::vector<Quantity>& runs) {
    if (quantity.kind != QuantityKind::reduction) {
        bool any = false;
        for (Quantity& operand : quantity.operands) any |= pooled(operand, runs);
        return any;
    }
    const std::vector<Quantity> operands = std::exchange(quantity.operands, {});
    for (const Quantity& run : runs)
        for (const Quantity& operand : operands) {
            quantity.operands.push_back(run);
            quantity.operands.back().operands.push_back(operand);
        }
    return true;
}

//     sum        = product { ("+" | "-") product }
//     product    = factor { ("*" | "/") factor }
//     factor     = NUMBER | "(" sum ")" | "abs(" sum ")" | ("least" | "greatest") "(" sum {"," sum} ")"
//                | REDUCTION "(" sum {"," sum} ["of" SEEDS] ")" | "run" RUN ":" factor
//                | "runs" RUN {"," RUN} ":" factor | "over x" ["from" SHARE "to" SHARE] REDUCTION "(" sum ")" | leaf
//     condition  = comparison {"and" comparison}                     in share( ) and count( ), instead of a sum
//     comparison = sum [("<" | "<=" | ">" | ">=" | "==") sum]
//
// Every function throws InputError with the column.
class QuantityParser {
  public:
    QuantityParser(std::string_view text, const std::vector<std::string>& moments)
        : tokens_(quantity_tokens(text)), moments_(moments) {
        check_depth();
    }

    Quantity whole() {
        Quantity found = is("over") && is("runs", 1) ? over(QuantityKind::over_runs) : sum();
        expect_end();
        return found;
    }
    // Clauses joined by "and".
    std::vector<QuantityClause> clauses(const ClauseForms& forms) {
        std::vector<QuantityClause> found;
        do found.push_back(clause(forms));
        while (take("and"));
        expect_end();
        return found;
    }

  private:
    QuantityClause clause(const ClauseForms& forms) {
        const auto form = find_if(forms, [&](const std::vector<std::string>& words) {
            for (size_t i = 0; i < words.size(); ++i)
                if (words[i] != kClauseName && !is(words[i], i)) return false;
            return true;
        });
        if (form == forms.end()) return {.compared = comparison(true)};
        QuantityClause found{static_cast<int>(form - forms.begin())};
        for (const std::string& word : *form)
            if (word == kClauseName)
                found.name = name("setting");
            else
                ++at_;
        return found;
    }

    // Parts with one of the signs between any two.
    Quantity chain(const Signs& signs, Quantity (QuantityParser::*part)()) {
        Quantity left = (this->*part)();
        while (const auto kind = take_one_of(signs)) left = joined(*kind, std::move(left), (this->*part)());
        return left;
    }
    Quantity sum() { return chain(kSums, &QuantityParser::product); }
    Quantity product() { return chain(kProducts, &QuantityParser::factor); }
    Quantity comparison(bool needed) {
        Quantity left = sum();
        if (const auto kind = take_one_of(kComparisons)) return joined(*kind, std::move(left), sum());
        if (needed) expected("one of <, <=, >, >=, ==");
        return left;
    }
    Quantity condition() {
        Quantity left = comparison(false);
        while (take("and")) left = joined(QuantityKind::times, std::move(left), comparison(false));
        return left;
    }
    Quantity factor() {
        if (is("over") && is("x", 1)) return over(QuantityKind::over_x);
        if (take("(")) {
            Quantity found = sum();
            expect(")");
            return found;
        }
        if (now().kind == QuantityToken::Kind::number || is("-")) {
            const size_t at = now().at;
            // -metric a is 0 - metric a.
            if (is("-") && tokens_[at_ + 1].kind != QuantityToken::Kind::number) {
                ++at_;
                return joined(QuantityKind::minus, {.at = at}, factor());
            }
            return {.number = plain_number(), .at = at};
        }
        if (is("runs")) return of_several_runs();
        if (is("run") || is_moment(now())) return of_other_run();
        return is_call() ? call() : leaf();
    }
    Quantity of_other_run() {
        const bool is_named = take("run");
        Quantity found = run_named();
        if (is_named) expect(":");
        found.operands.push_back(factor());
        return found;
    }
    Quantity run_named() {
        Quantity found{.kind = QuantityKind::run, .at = now().at};
        if (now().kind == QuantityToken::Kind::number)
            found.number = whole_number();
        else if (now().kind == QuantityToken::Kind::word)
            found.name = tokens_[at_++].text;
        else
            expected("the position of a run, from 0, or its name in quotes,");
        return found;
    }
    // The reductions in it count the seeds of all these runs.
    Quantity of_several_runs() {
        const size_t at = now().at;
        take("runs");
        std::vector<Quantity> runs;
        do runs.push_back(run_named());
        while (take(","));
        expect(":");
        Quantity found = factor();
        if (!pooled(found, runs))
            throw InputError("column {}: 'runs' needs a reduction after it, such as share( )", at);
        return found;
    }
    // Behind "over runs" or "over x".
    Quantity over(QuantityKind kind) {
        Quantity found{.kind = kind, .at = now().at};
        at_ += 2;
        const bool over_x = kind == QuantityKind::over_x;
        if (over_x && take("from")) {
            found.from = percent();
            if (!take("to")) expected("'to'");
            found.to = percent();
        }
        const bool share = over_x && is("share");
        if (!is_call() || !(is("least") || is("greatest") || share || (over_x && is("mean"))))
            expected(over_x ? "least( ), greatest( ), mean( ) or share( )" : "least( ) or greatest( )");
        found.reduction = word_of(now())->reduction;
        at_ += 2;
        if (over_x && std::exchange(at_x_, true)) expected("no second 'over x'");
        found.operands.push_back(share ? condition() : sum());
        if (over_x) at_x_ = false;
        expect(")");
        return found;
    }
    double percent() {
        const double number = plain_number();
        expect("%");
        return number / 100.0;
    }
    Quantity call() {
        const QuantityWord* known = word_of(now());
        if (known == nullptr || (known->kind != QuantityKind::reduction && known->kind != QuantityKind::absolute))
            return leaf();
        const std::string_view word = known->word;
        Quantity found{.kind = known->kind, .at = now().at};
        at_ += 2;
        const bool compares = word == "share" || word == "count", of_one = word == "abs" || word == "quantile";
        do found.operands.push_back(compares ? condition() : sum());
        while (!of_one && take(","));
        if ((word == "least" || word == "greatest") && found.operands.size() > 1) {
            const QuantityKind kind = word == "least" ? QuantityKind::least : QuantityKind::greatest;
            std::vector<Quantity> all = std::move(found.operands);
            found = std::move(all.front());
            for (size_t i = 1; i < all.size(); ++i) found = joined(kind, std::move(found), std::move(all[i]));
        } else if (word != "abs") {
            found.reduction = known->reduction;
            seeds_counted(found);
            if (any_of(found.operands, has_reduction))
                throw InputError("column {}: a reduction is inside another. Take it out of {}( )", found.at, word);
            if (word == "quantile") {
                expect(",");
                found.number = plain_number();
                if (found.number < 0.0 || found.number > 1.0) {
                    --at_;
                    expected("a share from 0 to 1");
                }
            }
        }
        expect(")");
        return found;
    }
    void seeds_counted(Quantity& reduction) {
        if (!take("of")) return;
        if (take("emerged"))
            reduction.of = Quantity::Of::emerged;
        else if (take("known"))
            reduction.of = Quantity::Of::known;
        else if (take("not") && take("emerged"))
            reduction.of = Quantity::Of::not_emerged;
        else
            expected("emerged, not emerged or known");
    }

    Quantity leaf() {
        const QuantityWord* known = word_of(now());
        if (known == nullptr || known->kind > QuantityKind::entry) no_word();
        Quantity found{.kind = known->kind, .at = now().at};
        ++at_;
        const QuantityKind kind = found.kind;
        const bool of_matrix = kind == QuantityKind::norm || kind == QuantityKind::trace ||
                               kind == QuantityKind::block || kind == QuantityKind::entry;
        if (known->form != known->word)
            found.name = name(kind == QuantityKind::curve          ? "plot"
                              : kind == QuantityKind::scene_number ? "scene"
                              : of_matrix                          ? "matrix"
                                                                   : known->word.data());
        if (kind == QuantityKind::scene_number) {
            found.part = name("number");
        } else if (kind == QuantityKind::curve) {
            found.part = name("curve");
            expect("at");
            place(found);
        } else if (kind == QuantityKind::entry) {
            found.row = whole_number();
            found.column = whole_number();
        } else if (of_matrix && now().kind == QuantityToken::Kind::word && !is("of") && !is("and")) {
            // Names that follow are labels of blocks unless they belong to what stands around.
            found.part = name("block of rows");
            found.columns = name("block of columns");
        } else if (kind == QuantityKind::metric && take("at")) {
            place(found);
        } else if (kind == QuantityKind::metric && take("first")) {
            found.when = Quantity::When::first;
        } else if (kind == QuantityKind::metric) {
            take("last");
        }
        return found;
    }

    // Behind "at".
    void place(Quantity& leaf) {
        using When = Quantity::When;
        if (at_x_ && take("x")) {
            leaf.when = When::at_x;
        } else if (leaf.kind == QuantityKind::curve && take("first")) {
            leaf.when = When::first;
        } else if (leaf.kind == QuantityKind::metric && take("greatest")) {
            leaf.when = When::at_greatest;
            do leaf.products.push_back(name("metric"));
            while (now().kind == QuantityToken::Kind::word && !is("of") && !is("and"));
        } else if (leaf.kind == QuantityKind::metric || !take("last")) {
            leaf.number = plain_number();
            const bool share = take("%");
            leaf.when = share ? When::at_share : When::at;
            if (share) leaf.number /= 100.0;
        }
    }

    Quantity joined(QuantityKind kind, Quantity left, Quantity right) const {
        Quantity both{.kind = kind, .at = left.at};
        both.operands.push_back(std::move(left));
        both.operands.push_back(std::move(right));
        return both;
    }

    bool is(std::string_view text, size_t ahead = 0) const {
        if (at_ + ahead >= tokens_.size()) return false;
        const QuantityToken& token = tokens_[at_ + ahead];
        return token.kind != QuantityToken::Kind::end && !token.quoted && token.text == text;
    }
    bool take(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    std::optional<QuantityKind> take_one_of(const Signs& signs) {
        for (const auto& [sign, kind] : signs)
            if (take(sign)) return kind;
        return std::nullopt;
    }
    void expect(std::string_view sign) {
        if (!take(sign)) expected(fmt::format("'{}'", sign));
    }
    void expect_end() const {
        if (now().kind != QuantityToken::Kind::end) expected("nothing");
    }
    std::string name(const char* of) {
        if (now().kind != QuantityToken::Kind::word) expected(fmt::format("the name of a {}", of));
        return tokens_[at_++].text;
    }
    double plain_number() {
        const double sign = take("-") ? -1.0 : 1.0;
        if (now().kind != QuantityToken::Kind::number) expected("a number");
        return sign * tokens_[at_++].number;
    }
    int whole_number() {
        const size_t begin = at_;
        const double number = plain_number();
        if (number == std::floor(number) && std::abs(number) <= std::numeric_limits<int>::max())
            return static_cast<int>(number);
        at_ = begin;
        expected("a whole number");
    }
    [[noreturn]] void expected(const std::string& what) const {
        const std::string found = now().kind == QuantityToken::Kind::end      ? "the end"
                                  : now().kind == QuantityToken::Kind::number ? "a number"
                                                                              : "'" + now().text + "'";
        throw InputError("column {}: {} is expected where {} stands", now().at, what, found);
    }
    [[noreturn]] void no_word() const {
        std::vector<std::string> words = moments_;
        for (const QuantityWord& word : quantity_words()) words.emplace_back(word.word);
        const std::vector<std::string> near = near_names(now().text, words);
        if (now().kind != QuantityToken::Kind::word || near.empty())
            expected(fmt::format("a number or one of {}", fmt::join(words, ", ")));
        throw InputError("column {}: '{}' is not a word of a quantity (did you mean '{}'?)", now().at, now().text,
                         fmt::join(near, "' or '"));
    }
    static const QuantityWord* word_of(const QuantityToken& token) {
        return token.quoted ? nullptr : find_by(quantity_words(), &QuantityWord::word, token.text);
    }
    bool is_moment(const QuantityToken& token) const { return !token.quoted && contains(moments_, token.text); }
    void check_depth() const {
        int brackets = 0, operations = 0;  // that are open; of the present comparison
        for (const QuantityToken& token : tokens_) {
            if (token.quoted || token.kind == QuantityToken::Kind::number) continue;
            const std::string& text = token.text;
            if (text == "(" || text == ")") brackets += text == "(" ? 1 : -1;
            if (text == "and") operations = 0;
            if (text.find_first_of("+-*/") == 0 || text == "run" || is_moment(token)) ++operations;
            if (brackets + operations > kDeepestText)
                throw InputError("is nested deeper than {} levels (parentheses and operations). Write it flatter",
                                 kDeepestText);
        }
    }

    const QuantityToken& now() const { return tokens_[at_]; }
    bool is_call() const { return is("(", 1); }

    std::vector<QuantityToken> tokens_;
    const std::vector<std::string>& moments_;
    size_t at_ = 0;
    bool at_x_ = false;  // inside `over x`
};

}  // namespace

InputError quoting(std::string_view text, const InputError& error) {
    constexpr size_t kMostQuoted = 200;
    return InputError("\"{}\": {}", shortened(text, kMostQuoted), error.what());
}

Quantity parse_quantity(std::string_view written, const std::vector<std::string>& moments) {
    const std::string text(written);
    try {
        Quantity quantity = QuantityParser(text, moments).whole();
        quantity.text = text;
        return quantity;
    } catch (const InputError& error) {
        throw quoting(text, error);
    }
}

std::vector<QuantityClause> parse_clauses(std::string_view text, const ClauseForms& forms,
                                          const std::vector<std::string>& moments) try {
    return QuantityParser(text, moments).clauses(forms);
} catch (const InputError& error) {
    throw quoting(text, error);
}

std::string quoted_name(std::string_view name) {
    const bool plain = !name.empty() && begins_word(name.front()) && all_of(name, in_word);
    return plain ? std::string(name) : fmt::format("'{}'", name);
}

}  // namespace emergence
