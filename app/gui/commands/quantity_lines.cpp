#include "app/gui/commands/quantity_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/quantity/quantity.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

bool begins_quantity(const std::string& typed) {
    const size_t end = typed.find_first_of(" (");
    const std::string_view first = std::string_view(typed).substr(0, end);
    const auto& words = quantity_words();
    return end != std::string::npos && std::any_of(words.begin(), words.end(), [&](const QuantityWord& one) {
               return one.word == first || one.word.substr(0, one.word.find(' ')) == first;
           });
}

std::string answer_of(const Quantity& quantity, const RunView& run) {
    if (!is_of_seeds(quantity)) return measured_text(measured(run, quantity));
    constexpr size_t kMostSeeds = 8;
    const std::vector<SeedValue> seeds = values(run, quantity);
    std::string text;
    for (size_t k = 0; k < std::min(seeds.size(), kMostSeeds); ++k)
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            std::isnan(seeds[k].value) ? "\u2013" : with_minus(fmt::format("{:.3g}", seeds[k].value)));
    return fmt::format("{} ({}of {} seeds)", text, seeds.size() > kMostSeeds ? "the first " : "", seeds.size());
}

// What a word may become: the words of the language, and what this run has.
std::vector<QuantityLines::Ending> all_endings(const RunView& run) {
    std::vector<QuantityLines::Ending> all;
    for (const AvailableQuantity& one : available_quantities(run)) all.push_back({one.text, one.help});
    for (const QuantityWord& one : quantity_words()) {
        const bool is_call = one.form.substr(one.word.size()).starts_with("(");
        all.push_back({fmt::format("{}{}", one.word, is_call ? "(" : " "), std::string(one.help)});
    }
    return all;
}

// The longest part of the end of the text that something begins with is completed.
std::vector<QuantityLines::Ending> endings_of(const std::string& typed, const RunView& run) {
    constexpr size_t kMostEndings = 12;
    const std::vector<QuantityLines::Ending> all = all_endings(run);
    std::vector<QuantityLines::Ending> found;
    for (size_t from = 0; from <= typed.size() && found.empty(); ++from) {
        const std::string tail = typed.substr(from);
        const bool at_word =
            from == 0 || std::string_view(" (,:+-*/<>=").find(typed[from - 1]) != std::string_view::npos;
        if (!at_word || (tail.empty() && !typed.ends_with('('))) continue;
        for (const QuantityLines::Ending& one : all)
            if (found.size() < kMostEndings && one.text.starts_with(tail) && one.text != tail)
                found.push_back({typed.substr(0, from) + one.text, one.help});
    }
    return found;
}

// What this run has by a word that stands in its name.
std::vector<QuantityLines::Ending> named(const std::string& typed, const RunView& run) {
    constexpr size_t kLeastLetters = 3, kMostNamed = 6;
    std::vector<QuantityLines::Ending> found;
    if (typed.size() < kLeastLetters) return found;
    for (const AvailableQuantity& one : available_quantities(run))
        if (found.size() < kMostNamed && one.text.find(small_letters(typed)) != std::string::npos)
            found.push_back({one.text, one.help});
    return found;
}

}  // namespace

QuantityLines quantity_lines(const std::string& typed, const RunView& run) {
    QuantityLines lines;
    if (run.snapshot == nullptr) return lines;
    if (!begins_quantity(typed)) {
        lines.endings = named(typed, run);
        return lines;
    }
    try {
        lines.answer = answer_of(parse_quantity(typed), run);
    } catch (const InputError& error) {
        lines.why_not = error.what();
        if (const std::string quoted = "\"" + typed + "\": "; lines.why_not.starts_with(quoted))
            lines.why_not.erase(0, quoted.size());
    }
    lines.endings = endings_of(typed, run);
    return lines;
}

}  // namespace emergence
