#include "app/gui/panels/matrices.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/formula.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

// Of more than a few matrices each has the cells alone: bars would take most of its room.
HeatmapBar bar_of(const Ui& ui, size_t matrices, ImVec2 size, bool below) {
    if (matrices > 3 && (size.x < ui.px(210) || size.y < ui.px(210))) return HeatmapBar::none;
    return below ? HeatmapBar::below : HeatmapBar::beside;
}

// How much larger the cells have to be for the colour bars to leave their usual place.
constexpr double kWorthBarsBelow = 1.25;

// Between two pictures.
ImVec2 gap(const Ui& ui) { return {ui.px(18), ui.px(10)}; }

// "Q12" -> 12: the layer that a matrix belongs to; nothing where its name does not end with a number.
std::optional<int> layer_of(const std::string& name) {
    constexpr size_t kMostDigits = 6;
    const size_t last = name.find_last_not_of("0123456789");
    const size_t first = last == std::string::npos ? 0 : last + 1;
    if (first == name.size() || name.size() - first > kMostDigits) return std::nullopt;
    return std::stoi(name.substr(first));
}

// Whether a term of it is carried out by one of these matrices, or by none.
bool speaks_of(const Formula& formula, const std::vector<std::string>& names) {
    bool of_any = false;
    for (const auto& term : formula.terms)
        for (const BlockReference& block : term.blocks) {
            if (std::find(names.begin(), names.end(), block.matrix) != names.end()) return true;
            of_any = true;
        }
    return !of_any;
}

}  // namespace

void MatricesPanel::next_mode() {
    wished_mode_.reset();
    const std::shared_ptr<const Snapshot>& shown = built_.source().snapshot;
    do {
        look_.view.mode = static_cast<MatrixView::Mode>((static_cast<int>(look_.view.mode) + 1) % 3);
    } while (shown && !mode_applies(*shown, look_.view.mode));
}

// A model that cannot be looked at as wished is looked at otherwise, and the wish is kept for the next.
void MatricesPanel::settle_mode(const Snapshot& snapshot) {
    const MatrixView::Mode wished = wished_mode_.value_or(look_.view.mode);
    look_.view.mode = mode_in_force(snapshot, wished);
    wished_mode_.reset();
    if (wished != look_.view.mode) wished_mode_ = wished;
}

void MatricesPanel::set_pinned(std::shared_ptr<const Snapshot> pinned) {
    if (look_.view.baseline) look_.view.baseline = pinned;
    pinned_ = std::move(pinned);
}

std::vector<HeatmapSpec> MatricesPanel::heatmaps() const {
    if (tiles_on_stage_) return tiles_.heatmaps();
    std::vector<HeatmapSpec> all;
    for (const Pair& pair : pairs_) {
        all.push_back(pair.learned);
        if (pair.other) all.push_back(*pair.other);
        if (pair.theory) all.push_back(*pair.theory);
        if (pair.theory_of_other) all.push_back(*pair.theory_of_other);
    }
    return all;
}

// Forgets a selection that this snapshot has no place for.
void MatricesPanel::keep_selection(const Snapshot& snapshot) {
    if (!selection_) return;
    const NamedMatrix* matrix = find_matrix(snapshot, selection_->matrix);
    if (matrix == nullptr || matrix->seeds.empty() || selection_->row >= matrix->seeds.front().rows ||
        selection_->column >= matrix->seeds.front().columns)
        selection_.reset();
}

// One formula where both runs have the same, else each its own.
void MatricesPanel::draw_formulas(const Ui& ui, const Session& session, const std::vector<std::string>& names) {
    spoken_of_.clear();
    const auto draw = [&](const std::vector<Formula>& formulas, const std::string& run) {
        for (Formula formula : formulas) {
            if (!speaks_of(formula, names)) continue;
            formula.name = run + formula.name;
            const std::vector<size_t> lit =
                pointed_block_ ? terms_of_block(formula, *pointed_block_) : std::vector<size_t>{};
            const FormulaResponse response = draw_formula(ui, formula, lit, ImGui::GetContentRegionAvail().x);
            if (response.hovered) spoken_of_ = formula.terms[*response.hovered].blocks;
        }
    };
    const std::vector<Formula>& of_a = session.snapshot()->formulas;
    const std::shared_ptr<const Snapshot> other = session.other() ? session.other()->shown() : nullptr;
    const bool differ = other && other->formulas != of_a;
    draw(of_a, differ ? "A: " : "");
    if (differ) draw(other->formulas, "B: ");
}

// Numbers of equal colour in all its pictures, the last of which has the bar.
bool MatricesPanel::one_bar(const Pair& pair) {
    for (const auto* beside : {&pair.other, &pair.theory, &pair.theory_of_other})
        if (*beside && ((*beside)->limit != pair.learned.limit || (*beside)->magnitudes != pair.learned.magnitudes ||
                        (*beside)->color_map != pair.learned.color_map))
            return false;
    return pair.other || pair.theory;
}

HeatmapResponse MatricesPanel::draw_one(const Ui& ui, Pair& pair, Which which, const PictureRoom& room,
                                        const std::optional<CellPosition>& pointed) {
    const bool learned = which == Which::learned, of_theory = which == Which::theory || which == Which::theory_of_other;
    const ImVec2 size = room.size;
    HeatmapContext context;
    context.highlight = pointed;
    context.help = pair.help;
    context.bar = room.bar;
    context.bar_at_neighbour = room.bar_at_neighbour;
    context.zoom = &zoom_of(pair);
    if (pair.other && !of_theory) {
        context.companion = learned ? &*pair.other : &pair.learned;
        context.companion_name = built_.source().beside.before ? (learned ? "before" : "now") : learned ? "B" : "A";
    } else if (pair.theory && which != Which::theory_of_other) {
        context.companion = learned ? &*pair.theory : &pair.learned;
        context.companion_name = learned ? "theory" : "learned";
    }
    if (selection_ && selection_->matrix == pair.name)
        context.selected = MarkedCell{{selection_->row, selection_->column}, selection_->block};
    for (const BlockReference& block : spoken_of_)
        if (block.matrix == pair.name && block.row_block < static_cast<int>(pair.learned.row_blocks.size()) &&
            block.column_block < static_cast<int>(pair.learned.column_blocks.size()))
            context.outlined.push_back({block.row_block, block.column_block});
    if (which == Which::other) return draw_heatmap(ui, *pair.other, pair.other_state, size, context);
    if (which == Which::theory_of_other)
        return draw_heatmap(ui, *pair.theory_of_other, pair.theory_of_other_state, size, context);
    return draw_heatmap(ui, learned ? pair.learned : *pair.theory, learned ? pair.learned_state : pair.theory_state,
                        size, context);
}

void MatricesPanel::respond(Pair& pair, Which which, const HeatmapResponse& response) {
    if (response.hovered) {
        pair.pointed = response.hovered;
        hovered_ = response;
        if (const auto block = block_at(pair.learned, *response.hovered))
            pointed_block_ = BlockReference{pair.name, block->row_block, block->column_block};
        if (pointed_block_ && which == Which::learned && ImGui::IsMouseClicked(ImGuiMouseButton_Right))
            surgery_.open(pair.name, pointed_block_->row_block, pointed_block_->column_block);
    }
    const bool of_theory = which == Which::theory || which == Which::theory_of_other;
    if (response.dragged_limit && (!of_theory || pair.shares_limit)) {
        ColorLimits& limits = limits_of(pair.name);
        limits.rule = ColorLimits::Rule::manual;
        limits.manual = std::clamp(*response.dragged_limit, kSmallestLimit, kLargestLimit);
    }
    if (response.bar_clicked) {
        limits_for_ = pair.name;
        open_limits_ = true;
    }
    if (response.fitted) {
        selection_ = selection_before_click_;
        ignore_click_ = true;
    }
    if (!response.clicked || std::exchange(ignore_click_, false)) return;
    selection_before_click_ = selection_;
    const MatrixSelection clicked{pair.name, response.clicked->cell.row, response.clicked->cell.column,
                                  response.clicked->block};
    if (selection_ == clicked)
        selection_.reset();
    else
        selection_ = clicked;
}

void MatricesPanel::draw_picture(const Ui& ui, Pair& pair, Which which, const PictureRoom& room,
                                 const std::optional<CellPosition>& pointed) {
    ImGui::SetCursorScreenPos(room.min);
    // A cell of a matrix of another size is not the same cell.
    const bool of_other = which == Which::other || which == Which::theory_of_other;
    const bool same_size = !of_other || (pair.other->values.rows == pair.learned.values.rows &&
                                         pair.other->values.columns == pair.learned.values.columns);
    const HeatmapResponse response = draw_one(ui, pair, which, room, same_size ? pointed : std::nullopt);
    if (same_size) respond(pair, which, response);
    if (which == Which::other && built_.source().beside.before)  // faint
        ImGui::GetWindowDrawList()->AddRectFilled(room.min, {room.min.x + room.size.x, room.min.y + room.size.y},
                                                  with_alpha(ui.colors.panel, 0.5F));
}

void MatricesPanel::draw_pair(const Ui& ui, Pair& pair, ImVec2 size) {
    const Which of_b = pair.theory_of_other ? Which::theory_of_other : Which::theory;
    std::vector<Which> shown = {Which::learned};
    if (pair.theory_of_other && !theory_small_) shown.push_back(Which::theory);  // each run beside its own
    if (pair.other) shown.push_back(Which::other);
    if (pair.theory && !theory_small_) shown.push_back(of_b);
    const std::optional<CellPosition> pointed = std::exchange(pair.pointed, std::nullopt);
    const HeatmapBar bar = bar_of(ui, arrangement_.places.size(), size, bar_below_);
    const bool shared = bar != HeatmapBar::none && !theory_small_ && one_bar(pair);
    const auto count = static_cast<float>(shown.size());
    // What the bar takes of the last one all give.
    const bool in_row = shared && !arrangement_.stacked && bar == HeatmapBar::beside;
    const float given = in_row ? std::floor(bar_width(ui, pair.learned) / count) : 0.0F, whole = size.x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (const Which which : shown) {
        ImGui::PushID(static_cast<int>(which));
        const bool last = which == shown.back();
        if (!theory_small_) size.x = whole - given + (last ? given * count : 0.0F);
        draw_picture(ui, pair, which,
                     {at, theory_small_ ? theory_place_.learned : size,
                      given > 0.0F && !last ? HeatmapBar::elsewhere : bar, shared && !last},
                     pointed);
        const bool has_theory = which == Which::learned || !built_.source().beside.before;
        if (theory_small_ && has_theory)
            draw_picture(ui, pair, which == Which::learned ? Which::theory : of_b,
                         {{at.x + theory_place_.at.x, at.y + theory_place_.at.y},
                          theory_place_.theory,
                          pair.shares_limit ? HeatmapBar::none : bar},
                         pointed);
        ImGui::PopID();
        if (arrangement_.stacked)
            at.y += size.y + gap(ui).y;
        else
            at.x += size.x + gap(ui).x;
    }
}

// The arrangement with the largest cells.
void MatricesPanel::arrange(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room) {
    std::vector<int> pictures;
    std::vector<int> groups;
    // What was learned fills the room of a presentation; theory's stands beside it, small.
    theory_small_ =
        ui.presenting && std::all_of(shown.begin(), shown.end(), [](const Pair* pair) { return pair->theory; });
    for (const Pair* pair : shown) {
        const int theories = theory_small_ ? 0 : (pair->theory ? 1 : 0) + (pair->theory_of_other ? 1 : 0);
        pictures.push_back(1 + (pair->other ? 1 : 0) + theories);
        const std::string name = pair->learned.id.substr(0, pair->learned.id.find(' '));
        groups.push_back(layer_of(name).value_or(-1 - static_cast<int>(groups.size())));
    }
    const auto own_cell = [&](ImVec2 size, bool below) {
        double smallest = 1e9;
        const HeatmapBar bar = bar_of(ui, shown.size(), size, below);
        for (size_t i = 0; i < shown.size(); ++i) {
            const HeatmapSpec& learned = shown[i]->learned;
            const bool shared = bar == HeatmapBar::beside && !theory_small_ && one_bar(*shown[i]);
            const float given =
                shared ? bar_width(ui, learned) * (1.0F - 1.0F / static_cast<float>(pictures[i])) : 0.0F;
            smallest =
                std::min(smallest, HeatmapFrame(ui, learned, MatrixZoom(), {size.x + given, size.y}, bar).cell_size());
        }
        return smallest;
    };
    const auto beside_theory = [&](ImVec2 size, bool below) {
        return place_theory(size, gap(ui), [&](ImVec2 own) { return own_cell(own, below); });
    };
    const auto cell_of = [&](ImVec2 size, bool below) {
        return own_cell(theory_small_ ? beside_theory(size, below).learned : size, below);
    };
    // More than fit in a legible size are scrolled; in a presentation there is nobody who would.
    const ArrangementRoom given{room, gap(ui), {ui.px(theory_small_ ? 200 : 120), ui.px(125)}};
    const auto arranged = [&](bool below) {
        return arrange_matrices(
            pictures, groups, given, [&](ImVec2 size) { return cell_of(size, below); }, arrangement_);
    };
    MatrixArrangement beside = arranged(false), above = arranged(true);
    bar_below_ = above.cell > kWorthBarsBelow * beside.cell;
    arrangement_ = std::move(bar_below_ ? above : beside);
    theory_place_ = beside_theory(arrangement_.picture, bar_below_);
}

void MatricesPanel::draw_matrices(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room) {
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        ignore_click_ = false;
    arrange(ui, shown, room);
    const auto step = [&] { return ImVec2(arrangement_.picture.x + gap(ui).x, arrangement_.picture.y + gap(ui).y); };
    // What has to be scrolled leaves room for the bar that does it.
    if (static_cast<float>(arrangement_.rows) * step().y > room.y + gap(ui).y)
        arrange(ui, shown, {room.x - ImGui::GetStyle().ScrollbarSize, room.y});
    const ImVec2 start = ImGui::GetCursorScreenPos();
    for (size_t i = 0; i < shown.size(); ++i) {
        const MatrixPlace& place = arrangement_.places[i];
        ImGui::SetCursorScreenPos({start.x + step().x * static_cast<float>(place.column),
                                   start.y + step().y * static_cast<float>(place.row)});
        draw_pair(ui, *shown[i], arrangement_.picture);
    }
}

void MatricesPanel::draw_history(const Ui& ui, const Session& session, ImVec2 size) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colors.panel);
    ImGui::BeginChild("history", size, true,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float side = ui.px(24);
    history_.draw(ui, session, *selection_, look_.view, {room.x - side - ui.px(6), room.y});
    ImGui::SetCursorScreenPos({at.x + room.x - side, at.y});
    if (draw_button(ui, "history close", "×", {side, side}, "Close the cell's history  (Esc)")) deselect();
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

// Over the matrices, which stay where they are, and away from the cell that was clicked.
void MatricesPanel::draw_history_over(const Ui& ui, const Session& session, const Bounds& pictures) {
    const float room = pictures.max.y - pictures.min.y;
    const float height = std::min(std::clamp(std::round(room * 0.27F), ui.px(130), ui.px(260)), room * 0.45F);
    if (!history_open_)
        history_above_ = ImGui::GetIO().MousePos.y > pictures.max.y - height - ui.px(30) &&
                         ImGui::GetIO().MousePos.y < pictures.max.y;
    history_open_ = true;
    ImGui::SetCursorScreenPos({pictures.min.x, history_above_ ? pictures.min.y : pictures.max.y - height});
    draw_history(ui, session, {pictures.max.x - pictures.min.x, height});
}

void MatricesPanel::draw_limits_popup(const Ui& ui) {
    if (std::exchange(open_limits_, false)) ImGui::OpenPopup("limits");
    if (!ImGui::BeginPopup("limits")) return;
    for (const Pair& pair : pairs_)
        if (pair.name == limits_for_) draw_limits_editor(ui, limits_of(pair.name), pair.learned.limit);
    ImGui::Checkbox("the same limits for all matrices", &look_.link_limits);
    log_item(ui, "link limits");
    ImGui::EndPopup();
}

std::vector<MatricesPanel::Pair*> MatricesPanel::pairs_of(const std::vector<std::string>& names) {
    std::vector<Pair*> found;
    for (const std::string& name : names)
        for (Pair& pair : pairs_)
            if (pair.name == name) found.push_back(&pair);
    return found;
}

void MatricesPanel::begin_frame(const Session& session) {
    hovered_.reset();
    tiles_on_stage_ = false;
    const std::shared_ptr<const Snapshot>& snapshot = session.snapshot();
    if (!snapshot) return;
    if (look_.view.seed_index >= static_cast<int>(snapshot->seeds.size())) look_.view.seed_index = -1;
    if (snapshot->matrices.empty()) return;
    settle_mode(*snapshot);
    keep_selection(*snapshot);
    update(snapshot, beside(session));
}

void MatricesPanel::draw_pictures(const Context& context, const std::vector<std::string>& names, ImVec2 room) {
    const auto& [ui, session, asks] = context;
    const std::shared_ptr<const Snapshot> other = session.other() ? session.other()->shown() : nullptr;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    ImGui::BeginChild("pictures", room, false, ImGuiWindowFlags_NoNav);
    if (look_.every_seed) {
        tiles_on_stage_ = true;
        if (const auto seed = tiles_.draw(ui, session.snapshot(), other, look_, names, room)) {
            look_.view.seed_index = *seed;
            look_.every_seed = false;
        }
    } else {
        draw_matrices(ui, pairs_of(names), room);
    }
    ImGui::EndChild();
    draw_limits_popup(ui);
    surgery_.draw(ui, session.settings(), *session.snapshot(), asks);
    if (wants_history() && !history_elsewhere_)
        draw_history_over(ui, session, {corner, {corner.x + room.x, corner.y + room.y}});
    else
        history_open_ = false;
}

void MatricesPanel::draw(const Context& context, const std::vector<std::string>& names, ImVec2 size) {
    const auto& [ui, session, asks] = context;
    const std::shared_ptr<const Snapshot>& snapshot = session.snapshot();
    ImGui::BeginChild("matrices", size, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const MatrixLook before = look_;
    const std::optional<MatrixSelection> selected = selection_;
    if (!ui.presenting && draw_matrix_toolbar(ui, *snapshot, pinned_, look_)) own_limits_.clear();
    if (look_.view.mode != before.view.mode) wished_mode_.reset();
    if (look_.view.baseline != before.view.baseline) asks(ask::MinusPin{look_.view.baseline != nullptr});
    if (look_.maps != before.maps) asks(ask::UseMaps{look_.maps});
    draw_formulas(ui, session, names);
    pointed_block_.reset();
    if (!look_.every_seed) update(snapshot, beside(session));  // tiles are built from the snapshot itself
    draw_pictures(context, names, ImGui::GetContentRegionAvail());
    ImGui::EndChild();
    if (selection_ && selection_ != selected)
        asks(ask::ClickCell{selection_->matrix, selection_->row, selection_->column});
}

bool MatricesPanel::draw_tiles(const Context& context, ImVec2 size) {
    std::vector<std::string> names;
    for (const Pair& pair : pairs_) names.push_back(pair.name);
    look_.every_seed = true;
    draw(context, names, size);
    return std::exchange(look_.every_seed, false);
}

void MatricesPanel::draw_small(const Ui& ui, const std::vector<std::string>& names, ImVec2 size) {
    const std::vector<Pair*> shown = pairs_of(names);
    const float space = ui.px(8);
    const auto count = static_cast<float>(shown.size());
    const ImVec2 each(std::floor((size.x - space * (count - 1)) / count), size.y);
    ImVec2 at = ImGui::GetCursorScreenPos();
    for (Pair* pair : shown) {
        ImGui::SetCursorScreenPos(at);
        HeatmapContext context;
        context.help = pair->help;
        context.bar = HeatmapBar::none;
        const HeatmapResponse response = draw_heatmap(ui, pair->learned, pair->learned_state, each, context);
        if (response.hovered) hovered_ = response;
        at.x += each.x + space;
    }
}

void MatricesPanel::draw_small_tiles(const Ui& ui, const Session& session, ImVec2 size) {
    std::vector<std::string> names;
    for (const Pair& pair : pairs_) names.push_back(pair.name);
    if (look_.view.seed_index >= 0) return draw_small(ui, names, size);
    const std::shared_ptr<const Snapshot> other = session.other() ? session.other()->shown() : nullptr;
    ImGui::BeginChild("tiles", size, false, ImGuiWindowFlags_NoNav);
    if (const auto seed = tiles_.draw(ui, session.snapshot(), other, look_, names, size)) look_.view.seed_index = *seed;
    ImGui::EndChild();
}

}  // namespace emergence
