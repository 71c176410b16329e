#include "app/gui/panels/theory_line.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

constexpr size_t kMostNamed = 3, kMostListed = 8;

// The seeds whose weights are shown.
struct ShownSeeds {
    int count = 0, emerged = 0;
};
ShownSeeds shown_seeds(const Snapshot& snapshot, const MatrixView& view) {
    ShownSeeds shown;
    for (size_t i = 0; i < snapshot.seeds.size(); ++i) {
        const SeedStatus& seed = snapshot.seeds[i];
        const bool alone = view.seed_index >= 0;
        if (alone ? static_cast<int>(i) != view.seed_index : seed.failed || (view.emerged_only && !seed.emerged))
            continue;
        ++shown.count;
        shown.emerged += seed.emerged ? 1 : 0;
    }
    return shown;
}

struct Named {
    std::string where;
    const Departure* block;
};
std::vector<Named> largest_first(const std::vector<MatrixDepartures>& all) {
    std::vector<Named> named;
    for (const MatrixDepartures& one : all)
        for (size_t i = 0; i < one.blocks.size(); ++i)
            named.push_back({fmt::format("{}, {}", one.matrix, one.places[i]), &one.blocks[i]});
    std::stable_sort(named.begin(), named.end(),
                     [](const Named& a, const Named& b) { return a.block->size > b.block->size; });
    return named;
}

std::string opening_of(const ShownSeeds& shown) {
    if (shown.emerged == 0) return "Not as in theory: ";
    if (shown.emerged < shown.count) return fmt::format("Mean of {}, not as in theory: ", shown.count);
    return "Not as in theory: ";
}

std::string sentence_of(const std::string& opening, const std::vector<Named>& named, size_t count, bool with_words) {
    std::string text = opening;
    for (size_t i = 0; i < count; ++i) {
        if (i > 0) text += "; ";
        text += named[i].where;
        if (with_words) text += fmt::format(" ({})", named[i].block->what);
    }
    return text + (named.size() > count ? fmt::format("; {} more", named.size() - count) : "");
}

// Why a network may have emerged and be otherwise.
std::string reason_of(const ShownSeeds& shown) {
    std::string text;
    if (shown.emerged > 0)
        text += fmt::format(
            "\n{} of {} look like theory all the same: that rule asks for the pattern, not for every entry. What the "
            "networks compute is measured on their values: point at the count.",
            shown.emerged, shown.count);
    return text;
}

}  // namespace

std::vector<Departure> seen_departures(std::vector<Departure> now, const std::vector<Departure>& before) {
    std::erase_if(now, [&](const Departure& one) {
        const bool was =
            std::any_of(before.begin(), before.end(), [&](const Departure& other) { return other.block == one.block; });
        return one.size < (was ? kStillDeparts : kDeparts);
    });
    return now;
}

TheoryLine theory_line(const Snapshot& snapshot, const MatrixView& view, const std::vector<MatrixDepartures>& all) {
    const ShownSeeds shown = shown_seeds(snapshot, view);
    const bool over = snapshot.status.state == RunState::finished;
    const std::vector<Named> named = largest_first(all);
    if (named.empty() || shown.count == 0 || (shown.emerged == 0 && !over)) return {};
    TheoryLine line;
    const std::string opening = opening_of(shown);
    for (const bool with_words : {true, false})
        for (size_t count = std::min(kMostNamed, named.size()); count > 0; --count)
            line.sentences.push_back(sentence_of(opening, named, count, with_words));
    line.details = "Blocks in which the weights shown are not theory's, each matrix divided by its largest entry:";
    for (size_t i = 0; i < std::min(kMostListed, named.size()); ++i)
        line.details += fmt::format("\n{}: {} ({})", named[i].where, named[i].block->what, named[i].block->measured);
    if (named.size() > kMostListed) line.details += fmt::format("\nand {} more", named.size() - kMostListed);
    line.details += reason_of(shown);
    return line;
}

float theory_line_height(const Ui& ui) { return ui.fonts.small->FontSize + ui.px(4); }

void draw_theory_line(const Ui& ui, const TheoryLine& line, float width) {
    if (line.sentences.empty()) return;
    std::string text = greek(line.sentences.back());
    for (const std::string& one : line.sentences)
        if (text_size(ui.fonts.small, greek(one)).x <= width) {
            text = greek(one);
            break;
        }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    text = whole_parts(ui.fonts.small, text, width);
    draw_text(ImGui::GetWindowDrawList(), ui.fonts.small, at, ui.colors.muted, text);
    ImGui::InvisibleButton("theory line", {std::max(1.0F, text_size(ui.fonts.small, text).x), theory_line_height(ui)});
    log_item(ui, "theory line");
    explain_item(ui, line.details);
}

}  // namespace emergence
