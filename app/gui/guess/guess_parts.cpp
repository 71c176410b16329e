#include "app/gui/guess/guess_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

void color_by(const ColorMaps& maps, HeatmapSpec& spec) {
    spec.color_map = spec.magnitudes ? maps.sequential->name : maps.diverging->name;
}

// Pictures in rows of `columns`, in the order that gives the largest squares; pairs are not parted.
int columns_for(int pictures, ImVec2 size) {
    int best = 2;
    float largest = 0;
    for (int columns = 2; columns <= std::max(2, pictures); columns += 2) {
        const int rows = (pictures + columns - 1) / columns;
        const float side = std::min(size.x / static_cast<float>(columns), size.y / static_cast<float>(rows));
        if (side > largest) largest = side, best = columns;
    }
    return best;
}

}  // namespace

void NetworkPictures::draw(const Ui& ui, const std::shared_ptr<const RiddleNetwork>& network, const ColorMaps& maps,
                           ImVec2 size) {
    if (network != built_from_ || maps != maps_) {
        built_from_ = network;
        maps_ = maps;
        specs_.clear();
        for (const NamedMatrix& matrix : network->shown.matrices) {
            const auto mode = matrix.may_scale ? MatrixView::Mode::scaled : MatrixView::Mode::raw;
            specs_.push_back(heatmap_of(network->shown, matrix, {.mode = mode}));
            specs_.back().id = "guess " + matrix.name;
            color_by(maps, specs_.back());
        }
        states_.resize(specs_.size());
        for (HeatmapState& state : states_) state.invalidate();
    }
    // The last one is the prompt, below the others.
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto count = static_cast<int>(specs_.size()) - 1;
    const float low = std::round(std::min(ui.px(170), 0.24F * size.y)), gap = ui.px(8);
    const ImVec2 above(size.x, size.y - low - gap);
    const int columns = columns_for(count, above), rows = (count + columns - 1) / columns;
    const ImVec2 each(std::floor((above.x - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns)),
                      std::floor((above.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows)));
    for (int i = 0; i <= count; ++i) {
        const auto column = static_cast<float>(i % columns), row = static_cast<float>(i / columns);
        const bool last = i == count;
        ImGui::SetCursorScreenPos(last ? ImVec2(at.x, at.y + size.y - low)
                                       : ImVec2(at.x + column * (each.x + gap), at.y + row * (each.y + gap)));
        HeatmapContext context;
        context.bar = HeatmapBar::none;
        context.help = network->shown.matrices[static_cast<size_t>(i)].help;
        draw_heatmap(ui, specs_[static_cast<size_t>(i)], states_[static_cast<size_t>(i)],
                     last ? ImVec2(size.x, low) : each, context);
    }
}

void draw_verdict(const Ui& ui, const RiddleJudge& judge, const JudgeVerdict& verdict, bool open, bool revealed) {
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(ui.presenting ? 21 : 26);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy({width, height});
    log_item(ui, ("verdict " + judge.name).c_str());
    explain_item(ui, judge.help);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float name = std::round(0.36F * width), said = std::round(0.36F * width),
                bar = width - name - said - ui.px(16);
    const float middle = at.y + height / 2;
    draw_text_placed(list, ui.fonts.small, {at.x, middle}, Placed::start, Placed::middle, ui.colors.text,
                     elided(ui.fonts.small, judge.label, name));
    const float left = at.x + name + ui.px(8), half = ui.px(6);
    list->AddRectFilled({left, middle - half}, {left + bar, middle + half}, ui.colors.control);
    list->AddRectFilled({left, middle - half}, {left + bar * static_cast<float>(verdict.sure), middle + half},
                        ui.colors.accent);
    const float tick = std::round(left + bar * static_cast<float>(judge.threshold));
    list->AddLine({tick, middle - half - ui.px(3)}, {tick, middle + half + ui.px(3)}, ui.colors.text, ui.px(2));
    const std::string text = !open      ? "?"
                             : revealed ? fmt::format("{} {}", verdict.right ? "✓" : "✗", verdict.text)
                                        : verdict.text;
    const ImU32 color = !open       ? ui.colors.muted
                        : !revealed ? ui.colors.text
                                    : (verdict.right ? ui.colors.good : ui.colors.bad);
    draw_text_placed(list, ui.fonts.small, {left + bar + ui.px(8), middle}, Placed::start, Placed::middle, color,
                     elided(ui.fonts.small, text, said));
}

void AnswerTables::build(const Snapshot& snapshot, const GuessingGame& game) {
    const Riddles& riddles = *game.riddles();
    const std::vector<Guess>& guesses = game.guesses();
    specs_.clear();
    const auto add = [&](const NamedMatrix& matrix, const std::string& id, const std::string& title,
                         const Fraction& right) {
        specs_.push_back(heatmap_of(snapshot, matrix, {.mode = MatrixView::Mode::raw}));
        HeatmapSpec& spec = specs_.back();
        spec.id = "guess " + id;
        spec.title = title;
        if (right.total > 0) spec.title += fmt::format("  {} of {}", right.count, right.total);
        spec.limit = 1;
        color_by(maps_, spec);
    };
    for (size_t judge = 0; judge < riddles.judges.size(); ++judge) {
        const NamedMatrix* matrix = find_matrix(snapshot, riddles.judges[judge].matrix);
        if (matrix == nullptr) continue;
        if (judge == 0) {
            NamedMatrix own = *matrix;
            own.help = "Your guesses: rows are truths, columns the share of each answer.";
            for (Table& table : own.seeds) table = confusion_of_guesses(guesses, riddles.answers.size());
            add(own, "you", "You", right_guesses(guesses));
        }
        add(*matrix, riddles.judges[judge].name, riddles.judges[judge].label, right_verdicts(guesses, judge));
    }
    states_.resize(specs_.size());
    for (HeatmapState& state : states_) state.invalidate();
}

std::optional<AnswerTables::Cell> AnswerTables::draw(const Ui& ui, const Session::Moment& moment,
                                                     const GuessingGame& game, const ColorMaps& maps, ImVec2 size) {
    if (moment != built_from_ || guesses_ != game.guesses().size() || maps != maps_) {
        built_from_ = moment;
        guesses_ = game.guesses().size();
        maps_ = maps;
        build(*moment, game);
    }
    std::optional<Cell> clicked;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = ui.px(8);
    constexpr int kColumns = 2;
    const auto rows = static_cast<float>((specs_.size() + kColumns - 1) / kColumns);
    const ImVec2 each(std::floor((size.x - gap) / kColumns), std::floor((size.y - gap * (rows - 1)) / rows));
    for (size_t i = 0; i < specs_.size(); ++i) {
        ImGui::SetCursorScreenPos({at.x + static_cast<float>(i % kColumns) * (each.x + gap),
                                   at.y + static_cast<float>(i / kColumns) * (each.y + gap)});
        HeatmapContext context;
        context.bar = HeatmapBar::none;
        context.help = specs_[i].note;
        const HeatmapResponse response = draw_heatmap(ui, specs_[i], states_[i], each, context);
        if (!response.clicked) continue;
        const CellPosition cell = response.clicked->cell;
        clicked = Cell{i == 0 ? std::nullopt : std::optional(i - 1), static_cast<size_t>(cell.row),
                       static_cast<size_t>(cell.column)};
    }
    return clicked;
}

}  // namespace emergence
