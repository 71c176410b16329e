#include "app/gui/panels/matrices.h"

#include <algorithm>
#include <cmath>

#include "app/gui/session/view_values.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/formula.h"
#include "core/base/ranges.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

// Whether one of these matrices carries out a term of the formula, or no matrix does.
bool speaks_of(const Formula& formula, const std::vector<std::string>& names) {
    bool of_any = false;
    for (const auto& term : formula.terms)
        for (const BlockReference& block : term.blocks) {
            if (contains(names, block.matrix)) return true;
            of_any = true;
        }
    return !of_any;
}

using Mode = MatrixView::Mode;
using Rule = ColorLimits::Rule;

constexpr double kMostSeeds = 1e6;
const std::string kMatrix = "matrix.";  // "matrix.P0.limits"

}  // namespace

static void view_fields(Fields& f, ColorLimits& limits) {
    f.choice(limits.rule, {{"automatic", Rule::automatic}, {"manual", Rule::manual}}, "limits");
    f(limits.manual, "limit").range(kSmallestLimit, kLargestLimit);
}

static void view_fields(Fields& f, MatrixLook& look) {
    f.choice(look.view.mode, {{"scaled", Mode::scaled}, {"raw", Mode::raw}, {"difference", Mode::difference}},
             "matrix_mode");
    f(look.view.seed_index, "seed_index").range(-1, kMostSeeds);
    f(look.view.emerged_only, "emerged_only");
    f(look.view.magnitudes, "magnitudes");
    view_fields(f, look.view.limits);
    f(look.link_limits, "link_limits");
    f(look.every_seed, "tiles");
}

void MatricesPanel::next_mode() {
    wished_mode_.reset();
    const std::shared_ptr<const Snapshot>& shown = built_.source().snapshot;
    do {
        look_.view.mode = static_cast<MatrixView::Mode>((static_cast<int>(look_.view.mode) + 1) % 3);
    } while (shown && !mode_applies(*shown, look_.view.mode));
}

void MatricesPanel::look_at(const std::string& experiment) {
    const std::string before = std::exchange(experiment_, experiment);
    if (before.empty() || before == experiment) return;
    look_.view.baseline.reset();
    left_[before] = {look_.view, wished_mode_, own_limits_};
    const Left& now = left_[experiment];
    look_.view = now.view;
    wished_mode_ = now.wished_mode;
    own_limits_ = now.own_limits;
}

// If the wished mode does not apply to this model another is used, and the wish is kept for the next model.
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
        for (const auto* beside : {&pair.other, &pair.theory, &pair.theory_of_other})
            if (*beside) all.push_back(**beside);
    }
    return all;
}

// Forgets a selection that this snapshot does not have.
void MatricesPanel::keep_selection(const Snapshot& snapshot) {
    if (!selection_) return;
    const NamedMatrix* matrix = find_matrix(snapshot, selection_->matrix);
    if (matrix == nullptr || matrix->seeds.empty() || selection_->row >= matrix->seeds.front().rows ||
        selection_->column >= matrix->seeds.front().columns)
        selection_.reset();
}

// One formula if both runs have the same, otherwise one for each.
void MatricesPanel::draw_formulas(const Ui& ui, const Session& session, const std::vector<std::string>& names,
                                  float taken) {
    spoken_of_.clear();
    const auto draw = [&](const std::vector<Formula>& formulas, const std::string& run) {
        for (Formula formula : formulas) {
            if (!speaks_of(formula, names)) continue;
            formula.name = run + formula.name;
            const std::vector<size_t> lit =
                pointed_block_ ? terms_of_block(formula, *pointed_block_) : std::vector<size_t>{};
            if (const auto hovered = draw_formula(ui, formula, lit, ImGui::GetContentRegionAvail().x - taken))
                spoken_of_ = formula.terms[*hovered].blocks;
        }
    };
    const std::vector<Formula>& of_a = session.snapshot()->formulas;
    const std::shared_ptr<const Snapshot> other = session.other() ? session.other()->shown() : nullptr;
    const bool differ = other && other->formulas != of_a;
    draw(of_a, differ ? "A: " : "");
    if (differ) draw(other->formulas, "B: ");
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
    if (response.bar_clicked) open_look(pair.name);
    if (response.fitted) {
        selection_ = selection_before_click_;
        ignore_click_ = true;
    }
    if (!response.clicked || std::exchange(ignore_click_, false)) return;
    selection_before_click_ = selection_;
    const MatrixSelection clicked{pair.name, response.clicked->row, response.clicked->column};
    if (selection_ == clicked)
        selection_.reset();
    else
        selection_ = clicked;
}

void MatricesPanel::draw_history(const Ui& ui, const Session& session, ImVec2 size) {
    if (const auto& moments = session.moments().moments(); !moments.empty()) {
        const HistorySource &built = history_built_.source(), source{*selection_, look_.view, moments.back()};
        const bool grows = built.selection == source.selection && built.view == source.view && built.last_moment &&
                           built.last_moment->run_number == moments.back()->run_number &&
                           session.snapshot()->status.state == RunState::running;
        const auto build = [&] {
            history_ = history_of(moments, source.selection, source.view);
            history_state_.invalidate();
            history_state_.prepare(history_);
        };
        history_built_.update(source, build, grows);
    }
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colors.panel);
    ImGui::BeginChild("history", size, true,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float side = ui.px(24);
    const ImVec2 plot(room.x - side - ui.px(6), room.y);
    draw_plot(ui, history_, history_state_, plot);
    if (ui.log != nullptr) ui.log->record("cell history", at, {at.x + plot.x, at.y + plot.y});
    ImGui::SetCursorScreenPos({at.x + room.x - side, at.y});
    if (draw_button(ui, "history close", "×", {side, side}, "Close the cell's history  (Esc)")) deselect();
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

// Over the matrices, away from the cell that was clicked.
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

void MatricesPanel::draw_look(const Ui& ui) {
    if (std::exchange(opens_look_, false)) ImGui::OpenPopup("look");
    if (!ImGui::BeginPopup("look")) return;
    const std::vector<Pair*> one = pairs_of({limits_for_});
    if (!one.empty())
        draw_limits_editor(ui, limits_of(limits_for_), one.front()->learned.limit);
    else if (draw_limits_editor(ui, look_.view.limits, look_.view.limits.manual))
        own_limits_.clear();
    draw_matrix_look(ui, look_);
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
    if (!snapshot->matrices.empty()) {  // otherwise the wish and the selection wait
        settle_mode(*snapshot);
        keep_selection(*snapshot);
    }
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
    draw_look(ui);
    surgery_.draw(ui, session.settings(), *session.snapshot(), asks);
    if (wants_history() && !history_elsewhere_)
        draw_history_over(ui, session, {corner, {corner.x + room.x, corner.y + room.y}});
    else
        history_open_ = false;
}

// The line has its own slot wherever theory is drawn, so that nothing moves when it appears.
void MatricesPanel::draw_pictures_and_line(const Context& context, const std::vector<std::string>& names) {
    const Ui& ui = context.ui;
    const std::vector<Pair*> shown = pairs_of(names);
    const bool has_line =
        !ui.presenting && !look_.every_seed && any_of(shown, [](const Pair* pair) { return pair->theory; });
    const float line = has_line ? theory_line_height(ui) + ImGui::GetStyle().ItemSpacing.y : 0.0F;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_pictures(context, names, {room.x, room.y - line});
    if (!has_line) return;
    std::vector<MatrixDepartures> all;
    for (const Pair* pair : shown) {
        MatrixDepartures& one = all.emplace_back();
        one = {pair->title, {}, pair->departures};
        for (const Departure& departure : one.blocks) one.places.push_back(block_name(pair->learned, departure.block));
    }
    draw_theory_line(ui, theory_line(*context.session.snapshot(), look_.view, all), room.x);
}

void MatricesPanel::draw(const Context& context, const std::vector<std::string>& names, ImVec2 size) {
    const auto& [ui, session, asks] = context;
    const std::shared_ptr<const Snapshot>& snapshot = session.snapshot();
    ImGui::BeginChild("matrices", size, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const MatrixLook before = look_;
    const std::optional<MatrixSelection> selected = selection_;
    if (!ui.presenting) draw_matrix_toolbar(ui, *snapshot, look_);
    const float caption = ui.presenting ? draw_matrix_caption(ui, *snapshot, look_) : 0.0F;
    const float line = ImGui::GetCursorPosY();
    if (look_.view.mode != before.view.mode) wished_mode_.reset();
    draw_formulas(ui, session, names, caption);
    if (caption > 0.0F && ImGui::GetCursorPosY() == line) ImGui::Dummy({caption, ui.fonts.small->FontSize + ui.px(8)});
    pointed_block_.reset();
    if (!look_.every_seed) update(snapshot, beside(session));  // tiles use the snapshot itself
    draw_pictures_and_line(context, names);
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
        const HeatmapResponse response = draw_heatmap(ui, pair->learned, pair->states[0], each, context);
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

void MatricesPanel::write_view(ViewValues& view) const {
    emergence::write_view(look_, MatrixLook(), "", view);
    for (const auto& [matrix, limits] : own_limits_)
        emergence::write_view(limits, ColorLimits(), kMatrix + matrix + ".", view);
}

void MatricesPanel::restore_view(const ViewValues& view) {
    wished_mode_.reset();
    look_ = read_view(view, "", MatrixLook());
    own_limits_.clear();
    const std::string &matrix = kMatrix, ending = ".limits";
    for (auto entry = view.lower_bound(matrix); entry != view.end() && entry->first.starts_with(matrix); ++entry) {
        const std::string& name = entry->first;
        if (!name.ends_with(ending) || name.size() <= matrix.size() + ending.size()) continue;
        const size_t end = name.size() - ending.size();
        own_limits_[name.substr(matrix.size(), end - matrix.size())] =
            read_view(view, name.substr(0, end + 1), ColorLimits());
    }
}

}  // namespace emergence
