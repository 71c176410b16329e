#include "core/base/ranges.h"
#include "core/lessons/player.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence {
namespace {

std::vector<std::string_view> answer_parts(std::string_view text, char between) {
    std::vector<std::string_view> parts;
    while (true) {
        const size_t end = text.find(between);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<double> number_of(std::string_view text) {
    const auto value = parsed<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// Each throws InputError with what an answer looks like.

Answer choice_of(std::string_view text, const ChoicePrediction& choice) {
    const auto count = static_cast<double>(choice.choices.size());
    if (const auto number = number_of(text);
        number && *number >= 1 && *number <= count && *number == std::floor(*number))
        return static_cast<int>(*number) - 1;
    std::vector<int> found;
    for (size_t i = 0; i < choice.choices.size(); ++i) {
        const std::string words = small_letters(choice.choices[i]);
        if (words == small_letters(text)) return static_cast<int>(i);
        if (words.starts_with(small_letters(text))) found.push_back(static_cast<int>(i));
    }
    if (found.size() == 1) return found.front();
    throw InputError("'{}' is not an answer. Write 1 to {}, or the answer's words.", text, choice.choices.size());
}

Answer block_of(std::string_view text) {
    const auto parts = answer_parts(text, ',');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty())
        throw InputError("'{}' is not a block. Write its rows and columns, e.g. R, R.", text);
    return BlockAnswer{std::string(parts[0]), std::string(parts[1])};
}

Answer sketch_of(std::string_view text, const SketchPrediction& axes) {
    const auto wrong = [&] {
        const bool foreign = text.find(';') != std::string_view::npos;
        return InputError("'{}' is not a curve. Write points x y, e.g. {:g} {:g}, {:g} {:g}.{}", text, axes.left,
                          axes.bottom, axes.right, axes.top,
                          foreign ? " Separate points by ',' and write 0.5, not 0,5." : "");
    };
    const auto parts = answer_parts(text, ',');
    Sketch points;
    for (size_t i = 0; i < parts.size(); ++i) {
        const size_t blank = parts[i].find_first_of(" \t");
        const bool alone = blank == std::string_view::npos;
        const double share = static_cast<double>(i) / static_cast<double>(parts.size() - 1);
        const auto x = alone ? axes.left + share * (axes.right - axes.left) : number_of(parts[i].substr(0, blank));
        const auto y = number_of(alone ? parts[i] : trimmed(parts[i].substr(blank)));
        if (!x || !y || parts.size() < 2) throw wrong();
        points.emplace_back(*x, *y);
    }
    std::sort(points.begin(), points.end());
    return points;
}

Answer answer_of(std::string_view text, const Prediction& prediction) {
    if (const auto* choice = std::get_if<ChoicePrediction>(&prediction)) return choice_of(text, *choice);
    if (const auto* axes = std::get_if<SketchPrediction>(&prediction)) return sketch_of(text, *axes);
    return block_of(text);
}

}  // namespace

ClassAnswers read_class(std::string_view text, const Prediction& prediction, const std::vector<std::string>& files) {
    ClassAnswers answers;
    size_t number = 0;
    const std::string plain = plain_text(text, "the answers");
    for (const std::string_view line : answer_parts(plain, '\n')) {
        ++number;
        if (line.empty()) continue;
        if (answers.given.size() + answers.unread.size() == kMostClassAnswers)
            throw InputError("line {}: more than {} answers. Count them in parts", number, kMostClassAnswers);
        const size_t colon = line.find_first_of(":\t");
        const bool bare = line.find_first_not_of("0123456789") == std::string_view::npos;  // of nobody in particular
        const std::string name = bare ? fmt::format("line {}", number) : std::string(trimmed(line.substr(0, colon)));
        try {
            if (!bare && (colon == std::string_view::npos || name.empty()))
                throw InputError(line.find(';') == std::string_view::npos
                                     ? "write an answer as name: answer."
                                     : "write an answer as name: answer, with ':' or a tab, not ';'.");
            ClassAnswer one{name, answer_of(bare ? line : trimmed(line.substr(colon + 1)), prediction)};
            if (ClassAnswer* same = find_named(answers.given, name))
                *same = std::move(one);
            else
                answers.given.push_back(std::move(one));
        } catch (const InputError& error) {
            const std::string place = number <= files.size() ? files[number - 1] : fmt::format("line {}", number);
            answers.unread.push_back(fmt::format("{}: {}", place, error.what()));
        }
    }
    return answers;
}

std::vector<ClassCount> class_counts(const ClassAnswers& answers, const Prediction& prediction) {
    std::vector<ClassCount> counts;
    if (const auto* choice = std::get_if<ChoicePrediction>(&prediction)) {
        for (size_t i = 0; i < choice->choices.size(); ++i)
            counts.push_back({choice->choices[i], 0, static_cast<int>(i) == choice->answer});
        for (const ClassAnswer& one : answers.given) ++counts[std::get<int>(one.answer)].count;
    } else if (const auto* right = std::get_if<BlockPrediction>(&prediction)) {
        std::vector<std::string> blocks;
        const auto name_of = [](const auto& block) { return block.rows + ", " + block.columns; };
        for (const ClassAnswer& one : answers.given) blocks.push_back(name_of(std::get<BlockAnswer>(one.answer)));
        for (const auto& [block, count] : tally(blocks)) counts.push_back({block, count, block == name_of(*right)});
    }
    return counts;
}

std::vector<ClassHeights> class_heights(const ClassAnswers& answers, const SketchPrediction& axes, int places) {
    std::vector<ClassHeights> heights;
    for (int i = 0; i < places; ++i) {
        ClassHeights at;
        at.x = axes.left + (axes.right - axes.left) * i / std::max(1, places - 1);
        std::vector<double> drawn;
        for (const ClassAnswer& one : answers.given)
            if (const auto height = height_at(std::get<Sketch>(one.answer), at.x)) drawn.push_back(*height);
        const Summary summary = summarise(drawn, true);
        at.count = summary.count;
        at.median = summary.median;
        if (!drawn.empty()) {
            at.lowest = *std::min_element(drawn.begin(), drawn.end());
            at.highest = *std::max_element(drawn.begin(), drawn.end());
        }
        heights.push_back(at);
    }
    return heights;
}

}  // namespace emergence
