// The names of a quantity, parsed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/lab/quantity/parser.h"
#include "core/lab/quantity/words.h"

namespace emergence {

// Names that follow are labels of blocks unless they belong to what stands around.
void QuantityParser::optional_block(Quantity& leaf) {
    const bool none = now().kind != QuantityToken::Kind::word || is("of") || is("and");
    if (none) return;
    leaf.part = name("block of rows");
    leaf.columns = name("block of columns");
}

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
    throw InputError(fmt::format("column {}: '{}' is no word of a quantity (did you mean '{}'?)", now().at, now().text,
                                 fmt::join(near, "' or '")));
}

Quantity QuantityParser::leaf() {
    const QuantityWord* known = word_of(now());
    if (known == nullptr || known->kind > QuantityKind::entry) no_word();
    Quantity found{.kind = known->kind, .at = now().at};
    ++at_;
    switch (found.kind) {
        case QuantityKind::field:
        case QuantityKind::scalar:
            found.name = name(known->word.data());
            break;
        case QuantityKind::metric:
            found.name = name("metric");
            if (take("at"))
                place(found);
            else if (take("first"))
                found.when = Quantity::When::first;
            else
                take("last");
            break;
        case QuantityKind::scene_number:
            found.name = name("scene");
            found.part = name("number");
            break;
        case QuantityKind::curve:
            found.name = name("plot");
            found.part = name("curve");
            expect("at");
            place(found);
            break;
        case QuantityKind::norm:
        case QuantityKind::trace:
        case QuantityKind::block:
            found.name = name("matrix");
            optional_block(found);
            break;
        case QuantityKind::entry:
            found.name = name("matrix");
            found.row = whole_number();
            found.column = whole_number();
            break;
        default:
            break;
    }
    return found;
}

}  // namespace emergence
