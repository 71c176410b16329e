// The places of the matrices' pictures, and which of them has the colour bar. Declared in matrices.h.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/gui/panels/matrices.h"
#include "app/gui/shell/theme.h"
#include "core/base/ranges.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

// Many small matrices have no bars, which would take most of their room.
HeatmapBar bar_of(const Ui& ui, size_t matrices, ImVec2 size, bool below) {
    if (matrices > 3 && (size.x < ui.px(210) || size.y < ui.px(210))) return HeatmapBar::none;
    return below || ui.presenting ? HeatmapBar::below : HeatmapBar::beside;
}

// Colour bars lie below if that makes the cells this much larger.
constexpr double kWorthBarsBelow = 1.25;

ImVec2 gap(const Ui& ui) { return {ui.px(18), ui.px(10)}; }

Size size_of(ImVec2 size) { return {static_cast<double>(size.x), static_cast<double>(size.y)}; }

// Takes away the width that the cells leave unused.
void close_up(TheoryPlace& place, bool each_own, double spare, double of_theory) {
    if (place.below && place.columns == place.theory_columns) spare = of_theory = std::min(spare, of_theory);
    place.learned.width -= spare;
    place.theory.width -= of_theory;
    const bool beside = each_own && !place.below;
    place.step.width -= beside ? spare + of_theory : spare;
    place.theory_step.width -= beside ? spare + of_theory : of_theory;
    if (!place.below) place.theory_at.x -= each_own ? spare : spare * place.columns;
}

}  // namespace

int MatricesPanel::pictures_of(const Pair& pair) {
    return 1 + (pair.other ? 1 : 0) + (pair.theory ? 1 : 0) + (pair.theory_of_other ? 1 : 0);
}

// Whether a number has the same colour in all pictures of the pair, so that only the last one has the bar.
bool MatricesPanel::one_bar(const Pair& pair) {
    for (const auto* beside : {&pair.other, &pair.theory, &pair.theory_of_other})
        if (*beside && ((*beside)->limit != pair.learned.limit || (*beside)->magnitudes != pair.learned.magnitudes))
            return false;
    return pair.other || pair.theory;
}

// The bar of a pair in pictures of this size, and the width that each gives to a bar beside the last one.
std::pair<HeatmapBar, float> MatricesPanel::bar_given(const Ui& ui, const Pair& pair, ImVec2 size) const {
    const HeatmapBar bar = bar_of(ui, arrangement_.places.size(), size, bar_below_);
    if (arrangement_.stacked || bar != HeatmapBar::beside || !one_bar(pair)) return {bar, 0.0F};
    return {bar, std::ceil(bar_width(ui, pair.learned) / static_cast<float>(pictures_of(pair)))};
}

void MatricesPanel::draw_picture(const Ui& ui, Pair& pair, Which which, const PictureRoom& room,
                                 const std::optional<CellPosition>& pointed) {
    const bool learned = which == Which::learned, of_theory = which == Which::theory || which == Which::theory_of_other;
    const bool before = built_.source().beside.before;
    // Cells of matrices of different sizes do not correspond.
    const bool same_size = learned || which == Which::theory ||
                           (pair.other->values.rows == pair.learned.values.rows &&
                            pair.other->values.columns == pair.learned.values.columns);
    HeatmapContext context;
    if (same_size) context.highlight = pointed;
    context.help = pair.help;
    context.bar = room.bar;
    context.bar_at_neighbour = room.bar_at_neighbour;
    // Matrices of equal shape show the same part.
    context.zoom = &zooms_[{pair.learned.values.rows, pair.learned.values.columns}];
    if (pair.other && !of_theory) {
        context.companion = learned ? &*pair.other : &pair.learned;
        context.companion_name = before ? (learned ? "before" : "now") : learned ? "B" : "A";
    } else if (pair.theory && which != Which::theory_of_other) {
        context.companion = learned ? &*pair.theory : &pair.learned;
        context.companion_name = learned ? "theory" : "learned";
    }
    if (selection_ && selection_->matrix == pair.name)
        context.selected = CellPosition{selection_->row, selection_->column};
    for (const BlockReference& block : spoken_of_)
        if (block.matrix == pair.name && block.row_block < static_cast<int>(pair.learned.row_blocks.size()) &&
            block.column_block < static_cast<int>(pair.learned.column_blocks.size()))
            context.outlined.push_back({block.row_block, block.column_block});
    const HeatmapSpec* const specs[] = {&pair.learned, pair.theory ? &*pair.theory : nullptr,
                                        pair.other ? &*pair.other : nullptr,
                                        pair.theory_of_other ? &*pair.theory_of_other : nullptr};
    const auto index = static_cast<size_t>(which);
    ImGui::SetCursorScreenPos(room.min);
    const HeatmapResponse response = draw_heatmap(ui, *specs[index], pair.states[index], room.size, context);
    if (same_size) respond(pair, which, response);
    if (which == Which::other && before)  // faint
        ImGui::GetWindowDrawList()->AddRectFilled(room.min, {room.min.x + room.size.x, room.min.y + room.size.y},
                                                  with_alpha(ui.colors.panel, 0.5F));
}

void MatricesPanel::draw_pair(const Ui& ui, Pair& pair, ImVec2 size) {
    std::vector<Which> shown = {Which::learned};
    if (pair.theory_of_other) shown.push_back(Which::theory);  // each run beside its own
    if (pair.other) shown.push_back(Which::other);
    if (pair.theory) shown.push_back(pair.theory_of_other ? Which::theory_of_other : Which::theory);
    const std::optional<CellPosition> pointed = std::exchange(pair.pointed, std::nullopt);
    const auto [bar, given] = bar_given(ui, pair, size);
    const bool shared = bar != HeatmapBar::none && one_bar(pair);
    const auto count = static_cast<float>(shown.size());
    const float whole = size.x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (const Which which : shown) {
        ImGui::PushID(static_cast<int>(which));
        const bool last = which == shown.back();
        size.x = whole - given + (last ? given * count : 0.0F);
        draw_picture(ui, pair, which, {at, size, given > 0.0F && !last ? HeatmapBar::elsewhere : bar, shared && !last},
                     pointed);
        ImGui::PopID();
        if (arrangement_.stacked)
            at.y += size.y + gap(ui).y;
        else
            at.x += size.x + gap(ui).x;
    }
}

// Of the learned matrices in pictures of this size.
double MatricesPanel::smallest_cell(const Ui& ui, const std::vector<Pair*>& shown, Size picture, bool bar_below) const {
    double smallest = 1e9;
    const ImVec2 size = pixel_of({picture.width, picture.height});
    const HeatmapBar bar = bar_of(ui, shown.size(), size, bar_below);
    for (const Pair* pair : shown) {
        const HeatmapSpec& learned = pair->learned;
        const bool shared = bar == HeatmapBar::beside && one_bar(*pair);
        const float given =
            shared ? bar_width(ui, learned) * (1.0F - 1.0F / static_cast<float>(pictures_of(*pair))) : 0.0F;
        smallest = std::min(smallest, HeatmapFrame(ui, learned, MatrixZoom(), {size.x + given, size.y}, bar).cell_size);
    }
    return smallest;
}

// The arrangement with the largest cells. Theory's are small if that helps.
void MatricesPanel::arrange(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room) {
    std::vector<int> pictures;
    std::vector<std::string> names;
    for (const Pair* pair : shown) {
        pictures.push_back(pictures_of(*pair));
        names.push_back(pair->name);
    }
    const std::vector<int> groups = groups_by_layer(names);
    // Matrices that do not fit in a legible size are scrolled.
    const ArrangementRoom given{size_of(room), size_of(gap(ui)), {ui.px(120), ui.px(125)}};
    if (std::exchange(presented_, ui.presenting) != ui.presenting) arrangement_ = {};
    if (std::exchange(arranged_, pictures) != pictures) arrangement_ = {};
    const auto arranged = [&](bool below) {
        return arrange_matrices(
            pictures, groups, given, [&](Size size) { return smallest_cell(ui, shown, size, below); }, arrangement_);
    };
    MatrixArrangement beside = arranged(false), above = arranged(true);
    bar_below_ = above.cell > kWorthBarsBelow * beside.cell;
    arrangement_ = std::move(bar_below_ ? above : beside);
    place_small_theory(ui, shown, groups, room);
}

void MatricesPanel::place_small_theory(const Ui& ui, const std::vector<Pair*>& shown, std::vector<int> groups,
                                       ImVec2 room) {
    const bool compared = any_of(shown, [](const Pair* pair) { return pair->other; });
    if (compared) groups.clear();  // a matrix of A beside that of B
    for (size_t i = 0; compared && i < shown.size(); ++i)
        groups.insert(groups.end(), shown[i]->other ? 2 : 1, static_cast<int>(i));
    theory_place_ = {};
    if (!shown.empty() && all_of(shown, [](const Pair* pair) { return pair->theory; }))
        theory_place_ = place_theory(groups, compared, {size_of(room), size_of(gap(ui)), {ui.px(110), ui.px(110)}},
                                     [&](Size size) { return smallest_cell(ui, shown, size, true); });
    theory_small_ = theory_place_.cell > arrangement_.cell;
    if (!theory_small_) return;
    float spare = 1e9F, of_theory = 1e9F;
    for (const Pair* pair : shown) {
        const auto spare_of = [&](const HeatmapSpec& spec, Size size, float title) {
            const ImVec2 picture = pixel_of({size.width, size.height});
            const HeatmapFrame frame(ui, spec, MatrixZoom(), picture, HeatmapBar::below);
            return std::max(0.0F, std::min(frame.spare - ui.px(20), picture.x - ui.px(title)));
        };
        spare = std::min(spare, spare_of(pair->learned, theory_place_.learned, 170));
        of_theory = std::min(of_theory, spare_of(*pair->theory, theory_place_.theory, 150));
    }
    close_up(theory_place_, compared, std::floor(spare), std::floor(of_theory));
}

void MatricesPanel::draw_with_small_theory(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room) {
    const TheoryPlace& place = theory_place_;
    const double width =
        std::max(place.columns * place.step.width, place.theory_at.x + place.theory_columns * place.theory_step.width) -
        static_cast<double>(gap(ui).x);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const double left =
        std::floor(static_cast<double>(corner.x) + std::max(0.0, static_cast<double>(room.x) - width) / 2);
    int at = 0;
    const auto on_grid = [&](int columns, Size step, Point first) {
        return pixel_of({left + first.x + at % columns * step.width,
                         static_cast<double>(corner.y) + first.y + at / columns * step.height});
    };
    for (Pair* pair : shown) {
        const std::optional<CellPosition> pointed = std::exchange(pair->pointed, std::nullopt);
        for (const Which which : {Which::learned, Which::other}) {
            if (which == Which::other && !pair->other) continue;
            ImGui::PushID(static_cast<int>(which));
            const ImVec2 size = pixel_of({place.learned.width, place.learned.height});
            const HeatmapBar bar = bar_of(ui, shown.size(), size, true);
            draw_picture(ui, *pair, which, {on_grid(place.columns, place.step, {}), size, bar}, pointed);
            if (which == Which::learned || !built_.source().beside.before)
                draw_picture(
                    ui, *pair,
                    which == Which::learned || !pair->theory_of_other ? Which::theory : Which::theory_of_other,
                    {on_grid(place.theory_columns, place.theory_step, place.theory_at),
                     pixel_of({place.theory.width, place.theory.height}), pair->shares_limit ? HeatmapBar::none : bar},
                    pointed);
            ImGui::PopID();
            ++at;
        }
    }
}

// The arrangement's picture, no wider than the widest matrix needs, so that matrices stand close together.
ImVec2 MatricesPanel::close_together(const Ui& ui, const std::vector<Pair*>& shown) const {
    ImVec2 picture = pixel_of({arrangement_.picture.width, arrangement_.picture.height});
    float spare = picture.x - ui.px(170);  // a title
    for (const Pair* pair : shown) {
        const auto [bar, given] = bar_given(ui, *pair, picture);
        const HeatmapFrame frame(ui, pair->learned, MatrixZoom(), {picture.x - given, picture.y},
                                 given > 0.0F ? HeatmapBar::elsewhere : bar);
        spare = std::min(spare, frame.spare);
    }
    picture.x -= std::floor(std::max(0.0F, spare - ui.px(20)));  // for labels wider than their column
    return picture;
}

void MatricesPanel::draw_matrices(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        ignore_click_ = false;
    arrange(ui, shown, room);
    if (theory_small_) {
        draw_with_small_theory(ui, shown, room);
        return;
    }
    // The scroll bar needs room.
    const auto height = static_cast<float>(arrangement_.picture.height);
    if (static_cast<float>(arrangement_.rows) * (height + gap(ui).y) > room.y + gap(ui).y)
        arrange(ui, shown, {room.x - ImGui::GetStyle().ScrollbarSize, room.y});
    const ImVec2 picture = close_together(ui, shown);
    const ImVec2 step(picture.x + gap(ui).x, picture.y + gap(ui).y);
    ImVec2 start = ImGui::GetCursorScreenPos();
    start.x += std::floor(std::max(0.0F, room.x - static_cast<float>(arrangement_.columns) * step.x) / 2);
    for (size_t i = 0; i < shown.size(); ++i) {
        const CellPosition& place = arrangement_.places[i];
        ImGui::SetCursorScreenPos(
            {start.x + step.x * static_cast<float>(place.column), start.y + step.y * static_cast<float>(place.row)});
        draw_pair(ui, *shown[i], picture);
    }
}

}  // namespace emergence
