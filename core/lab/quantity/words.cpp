#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/quantity/parser.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/views/run_views.h"

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
        if (failed != std::errc()) throw InputError(fmt::format("'{}' does not begin a number", text.substr(from, 20)));
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
    return !name.empty() && begins_word(name.front()) && all_of(name, in_word);
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

const std::vector<QuantityWord>& quantity_words() {
    constexpr std::string_view kOfSeed = "of each network", kOfRun = "of the run", kOverSeeds = "over seeds",
                               kCombined = "combined";
    using K = QuantityKind;
    static const std::vector<QuantityWord> words = {
        {"metric", "metric NAME [first | last | at STEP | at 20 % | at greatest NAME ...]",
         "A logged metric: its last known value (default), its first, the first at or after STEP, at a share of the "
         "last step, or where a product of metrics is greatest.",
         kOfSeed, K::metric},
        {"curve", "curve PLOT NAME at X | at first | at last | at 20 %",
         "A curve or level of a plot at the nearest x; NAME may be abbreviated. If its rows are MDPs or environments "
         "instead of networks, reductions count those.",
         kOfSeed, K::curve},
        {"norm", "norm MATRIX [ROWS COLUMNS]", "The Frobenius norm of a matrix, or of its block with these labels.",
         kOfSeed, K::norm},
        {"block", "block MATRIX [ROWS COLUMNS]", "The mean absolute entry of a matrix or block.", kOfSeed, K::block},
        {"trace", "trace MATRIX [ROWS COLUMNS]", "The sum of the diagonal of a matrix or block.", kOfSeed, K::trace},
        {"entry", "entry MATRIX ROW COLUMN", "One entry, counted from 0; -1 is the last row or column.", kOfSeed,
         K::entry},
        {"emerged", "emerged", "1 if the network has emerged, otherwise 0; failed networks included.", kOfSeed,
         K::emerged},
        {"emerged_at", "emerged_at",
         "The step from which its rule held, once that has lasted. None if it has not emerged.", kOfSeed,
         K::emerged_at},
        {"failed", "failed", "1 if training failed, for example diverged, otherwise 0.", kOfSeed, K::failed},
        {"scalar", "scalar NAME", "A number of the status line or the read-outs.", kOfRun, K::scalar},
        {"number", "number SCENE NAME", "A number of a drawn world.", kOfRun, K::scene_number},
        {"field", "field NAME", "A setting; a flag is 1 or 0.", kOfRun, K::field},
        {"step", "step", "The step that the run has reached.", kOfRun, K::step},
        {"seeds", "seeds", "The number of networks, failed ones included.", kOfRun, K::seeds},
        {"mean", "mean(Q), mean(Q, Q)",
         "The mean over networks; of several Q, over all their values. Alone, with Student's 95 % interval.",
         kOverSeeds, K::reduction, Reduction::mean},
        {"median", "median(Q)", "The median; several Q as with mean.", kOverSeeds, K::reduction, Reduction::median},
        {"share", "share(Q), share(Q < Q and Q > Q)",
         "The share of networks whose value is not 0, or for which comparisons (<, <=, >, >=, ==) hold, with "
         "Wilson's 95 % interval.",
         kOverSeeds, K::reduction, Reduction::share},
        {"count", "count(Q), count(Q < Q)", "Their number.", kOverSeeds, K::reduction, Reduction::count},
        {"least", "least(Q)", "The least value; least(Q, Q) is the lesser of two, network by network.", kOverSeeds,
         K::reduction, Reduction::least},
        {"greatest", "greatest(Q)", "The greatest value; greatest(Q, Q) likewise.", kOverSeeds, K::reduction,
         Reduction::greatest},
        {"quantile", "quantile(Q, SHARE)", "The value below which this share of the networks lies, interpolated.",
         kOverSeeds, K::reduction, Reduction::quantile},
        {"deviation", "deviation(Q)", "The standard deviation.", kOverSeeds, K::reduction, Reduction::deviation},
        {"standard_error", "standard_error(Q)", "The standard error of the mean.", kOverSeeds, K::reduction,
         Reduction::standard_error},
        {"t", "t(Q)", "The mean divided by its standard error.", kOverSeeds, K::reduction, Reduction::t},
        {"abs", "abs(Q)", "The absolute value.", kCombined, K::absolute},
        {"run", "run NAME: Q, run 1: Q", "Q of another run, by its name or its position, counted from 0.", kCombined,
         K::run},
        {"runs", "runs NAME, NAME: Q", "Reductions in Q count the networks of all these runs.", kCombined, K::run},
        {"over x", "over x [from 20 % to 80 %] greatest(Q)",
         "The greatest Q over the x of a curve (curve PLOT NAME at x) or the logged steps of a metric (metric NAME "
         "at x), all or a part; also least( ), mean( ) and share( ).",
         kCombined, K::over_x},
        {"over runs", "over runs least(Q)",
         "The least Q of all runs; also greatest( ) and mean( ). Only around the whole expression.", kCombined,
         K::over_runs}};
    return words;
}

std::string with_braces_filled(std::string_view text, const std::function<std::string(std::string_view)>& fill) {
    std::string filled;
    for (size_t from = 0;;) {
        const size_t open = text.find('{', from);
        if (open == std::string_view::npos) return filled.append(text.substr(from));
        const size_t close = text.find('}', open);
        if (close == std::string_view::npos) throw InputError("the brace { has no }");
        filled.append(text.substr(from, open - from)).append(fill(text.substr(open + 1, close - open - 1)));
        from = close + 1;
    }
}

std::string quoted_name(std::string_view name) {
    return is_plain_word(name) ? std::string(name) : fmt::format("'{}'", name);
}

std::vector<AvailableQuantity> available_quantities(const RunView& run) {
    std::vector<AvailableQuantity> found;
    const Snapshot& snapshot = *run.snapshot;
    if (!snapshot.emergence_rule.empty()) found.push_back({"emerged", snapshot.emergence_rule});
    for (const MetricInfo& metric : run.history->table())
        found.push_back({"metric " + quoted_name(metric.name), metric.help});
    for (const Scalar& scalar : snapshot.scalars) found.push_back({"scalar " + quoted_name(scalar.name), scalar.help});
    for (const PlotSpec& plot : snapshot.plots)
        for (const Series& series : plot.series)
            if (!series.x.empty())
                found.push_back({fmt::format("curve {} {} at {:.6g}", quoted_name(plot.id), quoted_name(series.name),
                                             series.x.back()),
                                 plot.title});
    for (const NamedMatrix& matrix : snapshot.matrices) {
        found.push_back({"norm " + quoted_name(matrix.name), matrix.help});
        for (const Block& rows : matrix.row_blocks)
            for (const Block& columns : matrix.column_blocks)
                found.push_back({fmt::format("norm {} {} {}", quoted_name(matrix.name), quoted_name(rows.label),
                                             quoted_name(columns.label)),
                                 ""});
    }
    for (const Scene& scene : snapshot.scenes)
        if (scene.moments && !scene.moments->empty())
            for (const DrawnNumber& number : scene.moments->back().numbers)
                found.push_back(
                    {fmt::format("number {} {}", quoted_name(scene.id), quoted_name(number.name)), scene.title});
    return found;
}

// The names of a quantity, parsed.

// Behind "at".
void QuantityParser::place(Quantity& leaf) {
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

void QuantityParser::no_word() const {
    std::vector<std::string> words = moments_;
    for (const QuantityWord& word : quantity_words()) words.emplace_back(word.word);
    const std::vector<std::string> near = near_names(now().text, words);
    if (now().kind != QuantityToken::Kind::word || near.empty())
        expected(fmt::format("a number or one of {}", fmt::join(words, ", ")));
    throw InputError(fmt::format("column {}: '{}' is not a word of a quantity (did you mean '{}'?)", now().at,
                                 now().text, fmt::join(near, "' or '")));
}

Quantity QuantityParser::leaf() {
    const QuantityWord* known = word_of(now());
    if (known == nullptr || known->kind > QuantityKind::entry) no_word();
    Quantity found{.kind = known->kind, .at = now().at};
    ++at_;
    const QuantityKind kind = found.kind;
    const bool of_matrix = kind == QuantityKind::norm || kind == QuantityKind::trace || kind == QuantityKind::block ||
                           kind == QuantityKind::entry;
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

}  // namespace emergence
