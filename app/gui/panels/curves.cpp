#include "app/gui/panels/curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/history_plots.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/panel.h"
#include "core/pictures/axis.h"
#include "core/pictures/histogram.h"

namespace emergence {
namespace {

// Summaries over seeds may take this share of the window's time, no more.
constexpr double kBuildShare = 0.2;

// A row of the column, and how many plots stand in it.
struct Grid {
    int columns = 1;
    ImVec2 cell;
};

// One column of plots, or two where one would make them flat.
// A cell is at least as high as readable axes with their title, numbers and `legend_height` need, whatever
// the scale; where the room is too low for that, the panel scrolls.
Grid grid_for(const Ui& ui, int count, ImVec2 room, float gap, float legend_height) {
    const auto height_with = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return (room.y - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    };
    Grid grid;
    const float least =
        ui.px(72) + 4.0F * ui.fonts.small->FontSize + std::max(legend_height, ui.fonts.small->FontSize);
    grid.columns = height_with(1) < ui.px(150) && room.x > ui.px(560) ? 2 : 1;
    const auto columns = static_cast<float>(grid.columns);
    grid.cell = {std::floor((room.x - gap * (columns - 1)) / columns),
                 std::floor(std::max(height_with(grid.columns), least))};
    return grid;
}

}  // namespace

namespace {

bool has_data(const PlotSpec& plot) {
    return std::any_of(plot.series.begin(), plot.series.end(), [](const Series& series) {
        return !series.dashed && std::any_of(series.rows.begin(), series.rows.end(), [](const auto& row) {
            return std::any_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); });
        });
    });
}

// A run that is over in a few seconds is waited for; one that trains on is not.
bool live_is_settling(const Snapshot& live) {
    constexpr double kPatience = 3.0;  // seconds
    return live.status.elapsed_seconds < kPatience;
}

}  // namespace

double axis_end(double step, double target) {
    double end = 100.0;
    for (int i = 0; end < step; ++i) end *= i % 3 == 1 ? 2.5 : 2.0;  // 100, 200, 500, 1000, ...
    return std::max(1.0, std::min(end, target));
}

bool CurvesPanel::stale(const Session& session, int highlighted_seed) const {
    if (mode_ != built_mode_ || smoothing_ != built_smoothing_ || highlighted_seed != built_highlight_)
        return true;
    if (session.overlay_changes() != built_overlays_) return true;
    if (!built_from_ || built_from_->run_number != session.snapshot()->run_number) return true;
    const auto other = session.other() ? session.other()->shown() : nullptr;
    if ((other == nullptr) != (built_other_ == nullptr)) return true;
    const bool moved = built_from_ != session.snapshot() || built_other_ != other;
    if (!moved && built_revision_ == session.history().revision()) return false;
    const bool still = session.live_snapshot()->status.state != RunState::running;
    return still || (moved && !session.time().live()) ||
           seconds_now() - built_at_ > build_cost_ / kBuildShare;
}

void CurvesPanel::rebuild(const Session& session, int highlighted_seed) {
    const double start = seconds_now();
    const Snapshot& live = *session.live_snapshot();
    std::vector<PlotSpec> former = std::exchange(specs_, {});
    AxisSpec x;
    x.label = live.step_unit;
    x.minimum = 0.0;
    // Of the live moment: nothing moves while one goes through the past.
    x.maximum = axis_end(static_cast<double>(live.step),
                         static_cast<double>(std::max(live.step, live.status.target_step)));
    if (session.study())
        for (const MetricPlot& plot : session.study()->metric_plots()) {
            specs_.push_back(history_plot(session, plot, x));
            // Only what was measured again and again is noisy from point to point.
            specs_.back().smoothing = static_cast<double>(smoothing_);
        }
    for (PlotSpec& plot : snapshot_plots(session)) specs_.push_back(std::move(plot));
    keep_former(session, former);
    std::stable_partition(specs_.begin(), specs_.end(), [](const PlotSpec& plot) { return plot.leads; });
    for (PlotSpec& spec : specs_) {
        // A plot that was made for quartiles, say, keeps them until something else is chosen.
        if (mode_ != 0) spec.spread = static_cast<Spread>(std::min(mode_, kModes - 2));
        if (spec.seeds.empty()) {  // else its rows are no seeds
            spec.highlighted_seed = highlighted_seed;
            for (const SeedStatus& seed : live.seeds) spec.seeds.push_back(seed.seed);
        }
        const auto [place, is_new] = states_.try_emplace(spec.id);
        PlotState& state = place->second;
        if (is_new || mode_ != built_mode_) {  // the choice for all plots replaces one plot's own
            state.view.histogram = mode_ == kModes - 1 && has_distribution(spec);
            state.view.spread.reset();
        }
        if (smoothing_ != built_smoothing_) state.view.smoothing.reset();
        state.invalidate();
        state.prepare(spec);
    }
    built_from_ = session.snapshot();
    built_other_ = session.other() ? session.other()->shown() : nullptr;
    built_revision_ = session.history().revision();
    built_overlays_ = session.overlay_changes();
    built_mode_ = mode_;
    built_smoothing_ = smoothing_;
    built_highlight_ = highlighted_seed;
    built_at_ = seconds_now();
    build_cost_ = built_at_ - start;
}

void CurvesPanel::keep_former(const Session& session, std::vector<PlotSpec>& former) {
    const Snapshot& live = *session.live_snapshot();
    const bool same = kept_experiment_ == live.experiment;
    kept_experiment_ = live.experiment;
    if (!same || live.status.state != RunState::running || !session.time().live()) return;
    for (PlotSpec& spec : specs_) {
        const auto found = std::find_if(former.begin(), former.end(),
                                        [&](const PlotSpec& old) { return old.id == spec.id; });
        if (found == former.end() || has_data(spec) || !has_data(*found)) continue;
        if (axis_title(found->x) == axis_title(spec.x) && axis_title(found->y) == axis_title(spec.y))
            spec = std::move(*found);
    }
}

void CurvesPanel::hold_axes(const Session& session) {
    const RunState state = session.live_snapshot()->status.state;
    const bool dragged = ImGui::IsMouseDown(ImGuiMouseButton_Left) && session.in_gesture();
    const bool holds =
        dragged || (holds_axes_ && state == RunState::running && live_is_settling(*session.live_snapshot()));
    if (holds == holds_axes_) return;
    holds_axes_ = holds;
    for (auto& [id, plot] : states_) plot.hold_axes(holds);
}

void CurvesPanel::fit_all() {
    for (auto& [id, state] : states_) state.view.curves = state.view.bars = {};
}

std::vector<PlotSpec> CurvesPanel::plots() const {
    std::vector<PlotSpec> shown;
    for (const PlotSpec& spec : specs_) shown.push_back(states_.at(spec.id).shown());
    return shown;
}

void CurvesPanel::follow(const PlotSpec& changed, const PlotView& view) {
    for (const PlotSpec& spec : specs_) {
        if (axis_title(spec.x) != axis_title(changed.x)) continue;
        PlotView& other = states_.at(spec.id).view;
        other.curves.x = view.curves.x;
        other.x_scale = view.x_scale;
    }
}

// The first plot of each x axis that was zoomed leads.
void CurvesPanel::link_all() {
    for (auto spec = specs_.rbegin(); spec != specs_.rend(); ++spec) {
        const PlotView& view = states_.at(spec->id).view;
        if (view.curves.x || view.x_scale) follow(*spec, PlotView(view));
    }
}

void CurvesPanel::draw_toolbar(const Ui& ui) {
    draw_segments(ui, "spread", {"± s.e.", "± s.d.", "quartiles", "every seed", "histogram"}, mode_);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", "Smooth");
    ImGui::SameLine(0.0F, ui.px(8));
    ImGui::SetNextItemWidth(ui.px(110));
    ImGui::SliderFloat("##smoothing", &smoothing_, 0.0F, 0.99F, smoothing_ > 0.0F ? "%.2f" : "off",
                       ImGuiSliderFlags_AlwaysClamp);
    log_item(ui, "smoothing");
    explain_item(
        ui,
        "Weight of the past in a debiased exponential mean of each seed's points, taken before seeds are "
        "averaged. The line as measured stays, faint. Ctrl + click to type.");
    ImGui::SameLine(0.0F, ui.px(12));
    if (ImGui::Checkbox("Link x", &linked_) && linked_) link_all();
    log_item(ui, "link x");
    explain_item(ui, "Plots over the same quantity are zoomed and moved along x together.");
    ImGui::SameLine(0.0F, ui.px(12));
    if (draw_button(ui, "fit all", "Fit all", {0.0F, 0.0F}, "Every plot follows its data again  (F)"))
        fit_all();
}

void CurvesPanel::draw_plots(const Ui& ui) {
    const float gap = ui.px(12);
    auto count = static_cast<int>(specs_.size());
    if (ui.presenting) {
        // As many as are legible in large type: the first ones say most, and nobody scrolls.
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const int below = std::max(1, static_cast<int>((room.y + gap) / (ui.px(150) + gap)));
        const int beside = count > below && room.x > ui.px(560) ? 2 : 1;
        count = std::min(count, beside * below);
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    Grid grid = grid_for(ui, count, room, gap, 0.0F);
    // Legends are told by their texts alone, not by where they stand, which depends on the size.
    float legend_height = 0.0F;
    for (const PlotSpec& spec : specs_)
        legend_height =
            std::max(legend_height, states_.at(spec.id).legend.rows_height(ui, spec, grid.cell.x));
    grid = grid_for(ui, count, room, gap, legend_height);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const auto read_before = std::exchange(pointed_, std::nullopt);
    for (int i = 0; i < count; ++i) {
        ImGui::SetCursorScreenPos({start.x + static_cast<float>(i % grid.columns) * (grid.cell.x + gap),
                                   start.y + static_cast<float>(i / grid.columns) * (grid.cell.y + gap)});
        const PlotSpec& spec = specs_[static_cast<size_t>(i)];
        PlotState& state = states_.at(spec.id);
        const PlotView before = state.view;
        std::optional<double> elsewhere;
        if (read_before && !state.view.histogram && read_before->first == axis_title(spec.x))
            elsewhere = read_before->second;
        const PlotResponse response = draw_plot(ui, spec, state, grid.cell, elsewhere);
        if (linked_ && response.hovered && !state.view.histogram) pointed_ = {axis_title(spec.x), response.x};
        const bool moved = state.view.curves.x != before.curves.x || state.view.x_scale != before.x_scale;
        if (linked_ && moved) follow(spec, PlotView(state.view));
    }
}

void CurvesPanel::draw(const Ui& ui, const Box& box, const Session& session, int highlighted_seed) {
    const Panel panel(ui, "curves", box, true);
    if (!session.snapshot()) return;
    if (!ui.presenting) draw_toolbar(ui);
    hold_axes(session);
    if (stale(session, highlighted_seed)) rebuild(session, highlighted_seed);
    if (specs_.empty()) return;
    ImGui::Dummy({0.0F, ui.px(2)});
    draw_plots(ui);
}

}  // namespace emergence
