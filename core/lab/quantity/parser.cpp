#include "core/lab/quantity/parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {
namespace {

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

}  // namespace

const QuantityWord* QuantityParser::word_of(const QuantityToken& token) {
    const std::vector<QuantityWord>& words = quantity_words();
    const auto found = find_if(words, [&](const QuantityWord& one) { return one.word == token.text; });
    return token.quoted || found == words.end() ? nullptr : &*found;
}

QuantityParser::QuantityParser(std::string_view text, std::vector<std::string> moments)
    : tokens_(quantity_tokens(text)), moments_(std::move(moments)) {
    check_depth();
}

bool QuantityParser::is_moment(const QuantityToken& token) const {
    return !token.quoted && contains(moments_, token.text);
}

void QuantityParser::check_depth() const {
    int brackets = 0, operations = 0;  // that are open; of the present comparison
    for (const QuantityToken& token : tokens_) {
        if (token.quoted || token.kind == QuantityToken::Kind::number) continue;
        const std::string& text = token.text;
        if (text == "(" || text == ")") brackets += text == "(" ? 1 : -1;
        if (text == "and") operations = 0;
        if (text.find_first_of("+-*/") == 0 || text == "run" || is_moment(token)) ++operations;
        if (brackets + operations > kDeepestText)
            throw InputError(fmt::format(
                "is nested deeper than {} levels (parentheses and operations). Write it flatter", kDeepestText));
    }
}

bool QuantityParser::is(std::string_view text, size_t ahead) const {
    if (at_ + ahead >= tokens_.size()) return false;
    const QuantityToken& token = tokens_[at_ + ahead];
    return token.kind != QuantityToken::Kind::end && !token.quoted && token.text == text;
}

bool QuantityParser::take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
}

void QuantityParser::expected(const std::string& what) const {
    const std::string found = now().kind == QuantityToken::Kind::end      ? "the end"
                              : now().kind == QuantityToken::Kind::number ? "a number"
                                                                          : "'" + now().text + "'";
    throw InputError(fmt::format("column {}: {} is expected where {} stands", now().at, what, found));
}

void QuantityParser::expect(std::string_view sign) {
    if (!take(sign)) expected(fmt::format("'{}'", sign));
}

void QuantityParser::expect_end() const {
    if (now().kind != QuantityToken::Kind::end) expected("nothing");
}

std::string QuantityParser::name(const char* of) {
    if (now().kind != QuantityToken::Kind::word) expected(fmt::format("the name of a {}", of));
    return tokens_[at_++].text;
}

double QuantityParser::plain_number() {
    const double sign = take("-") ? -1.0 : 1.0;
    if (now().kind != QuantityToken::Kind::number) expected("a number");
    return sign * tokens_[at_++].number;
}

int QuantityParser::whole_number() {
    const size_t begin = at_;
    const double number = plain_number();
    if (number == std::floor(number) && std::abs(number) <= std::numeric_limits<int>::max())
        return static_cast<int>(number);
    at_ = begin;
    expected("a whole number");
}

Quantity QuantityParser::whole() {
    Quantity found = is("over") && is("runs", 1) ? over(QuantityKind::over_runs) : sum();
    expect_end();
    return found;
}

// Behind "over runs" or "over x".
Quantity QuantityParser::over(QuantityKind kind) {
    Quantity found{.kind = kind, .at = now().at};
    at_ += 2;
    const bool over_x = kind == QuantityKind::over_x;
    if (over_x && take("from")) {
        found.from = percent();
        if (!take("to")) expected("'to'");
        found.to = percent();
    }
    const bool share = over_x && is("share");
    if (!is_call() || !(is("least") || is("greatest") || is("mean") || share))
        expected(over_x ? "least( ), greatest( ), mean( ) or share( )" : "least( ), greatest( ) or mean( )");
    found.reduction = word_of(now())->reduction;
    at_ += 2;
    if (over_x && std::exchange(at_x_, true)) expected("no second 'over x'");
    found.operands.push_back(share ? condition() : sum());
    if (over_x) at_x_ = false;
    expect(")");
    return found;
}

double QuantityParser::percent() {
    const double number = plain_number();
    expect("%");
    return number / 100.0;
}

Quantity QuantityParser::joined(QuantityKind kind, Quantity left, Quantity right) const {
    Quantity both{.kind = kind, .at = left.at};
    both.operands.push_back(std::move(left));
    both.operands.push_back(std::move(right));
    return both;
}

std::optional<QuantityKind> QuantityParser::take_one_of(const Signs& signs) {
    for (const auto& [sign, kind] : signs)
        if (take(sign)) return kind;
    return std::nullopt;
}

Quantity QuantityParser::sum() {
    Quantity left = product();
    while (const auto kind = take_one_of(kSums)) left = joined(*kind, std::move(left), product());
    return left;
}

Quantity QuantityParser::product() {
    Quantity left = factor();
    while (const auto kind = take_one_of(kProducts)) left = joined(*kind, std::move(left), factor());
    return left;
}

Quantity QuantityParser::comparison(bool needed) {
    Quantity left = sum();
    if (const auto kind = take_one_of(kComparisons)) return joined(*kind, std::move(left), sum());
    if (needed) expected("one of <, <=, >, >=, ==");
    return left;
}

Quantity QuantityParser::condition() {
    Quantity left = comparison(false);
    while (take("and")) left = joined(QuantityKind::times, std::move(left), comparison(false));
    return left;
}

Quantity QuantityParser::factor() {
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

Quantity QuantityParser::of_other_run() {
    const bool is_named = take("run");
    Quantity found = run_named();
    if (is_named) expect(":");
    found.operands.push_back(factor());
    return found;
}

Quantity QuantityParser::run_named() {
    Quantity found{.kind = QuantityKind::run, .at = now().at};
    if (now().kind == QuantityToken::Kind::number)
        found.number = whole_number();
    else if (now().kind == QuantityToken::Kind::word)
        found.name = tokens_[at_++].text;
    else
        expected("the position of a run, from 0, or its name in quotes,");
    return found;
}

// Its reductions count the seeds of all these runs.
Quantity QuantityParser::of_several_runs() {
    const size_t at = now().at;
    take("runs");
    std::vector<Quantity> runs;
    do runs.push_back(run_named());
    while (take(","));
    expect(":");
    Quantity found = factor();
    if (!pooled(found, runs))
        throw InputError(fmt::format("column {}: 'runs' needs a reduction after it, such as share( )", at));
    return found;
}

void QuantityParser::seeds_counted(Quantity& reduction) {
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

Quantity QuantityParser::call() {
    const QuantityWord* known = word_of(now());
    if (known == nullptr || (known->kind != QuantityKind::reduction && known->kind != QuantityKind::absolute))
        return leaf();
    const std::string_view word = known->word;
    Quantity found{.kind = QuantityKind::absolute, .at = now().at};
    at_ += 2;
    const bool compares = word == "share" || word == "count";
    const auto operand = [&] { return compares ? condition() : sum(); };
    found.operands.push_back(operand());
    if ((word == "least" || word == "greatest") && is(",")) {
        Quantity first = std::move(found.operands.front());  // which lies in what it becomes
        found = std::move(first);
        const QuantityKind kind = word == "least" ? QuantityKind::least : QuantityKind::greatest;
        while (take(",")) found = joined(kind, std::move(found), sum());
    } else if (word != "abs") {
        found.kind = QuantityKind::reduction;
        found.reduction = known->reduction;
        while (word != "quantile" && take(",")) found.operands.push_back(operand());
        seeds_counted(found);
        if (any_of(found.operands, has_reduction))
            throw InputError(
                fmt::format("column {}: a reduction is inside another. Take it out of {}( )", found.at, word));
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

InputError quoting(std::string_view text, const InputError& error) {
    constexpr size_t kMostQuoted = 200;
    return InputError(fmt::format("\"{}\": {}", shortened(text, kMostQuoted), error.what()));
}

Quantity parse_quantity(std::string_view written) {
    const std::string text = composed(written);  // it names runs
    try {
        Quantity quantity = QuantityParser(text).whole();
        quantity.text = text;
        return quantity;
    } catch (const InputError& error) {
        throw quoting(text, error);
    }
}

}  // namespace emergence
