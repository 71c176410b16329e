#include "app/gui/panels/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/gui/session/view_values.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

bool has_data(const PlotSpec& plot) {
    return any_of(plot.series, [](const Series& series) { return !series.dashed && has_value(series); });
}

// The lines of the plot as a legend has them.
std::set<std::string> lines_of(const PlotSpec& plot) {
    std::set<std::string> lines;
    for (const Series& series : plot.series)
        if (!series.name.empty())
            lines.insert(fmt::format("{} {} {} {}", series.name, series.color, series.dashed, series.points));
    return lines;
}

// If seeds are points, the read-out is the highlighted seed's; otherwise it says that it is of all seeds. Run B's points
// come after A's.
void read_highlighted(PlotSpec& spec, bool beside_b) {
    const auto row = static_cast<size_t>(spec.highlighted_seed);
    if (spec.highlighted_seed < 0 || row >= spec.seeds.size()) return;
    if (!spec.readout.empty() && spec.seeds.size() > 1)
        spec.readout = fmt::format("All {}s, {}", counted_as(spec.row_word), spec.readout);
    for (const Series& series : spec.series)
        for (size_t i = 0; i < std::min(series.seeds.size(), series.details.words.size()); ++i)
            if (series.seeds[i] == spec.seeds[row]) {
                spec.readout = fmt::format("{}{} {}: {}", beside_b ? "A, " : "", spec.row_word, spec.seeds[row],
                                           series.details.words[i]);
                return;
            }
}

// The axes wait for a run that is over within seconds, not for longer ones.
bool live_is_settling(const Snapshot& live) {
    constexpr double kPatience = 3.0;  // seconds
    return live.status.elapsed_seconds < kPatience;
}

bool has_line_a_group(const Session& session, const std::string& id) {
    return any_of(session.study()->metric_plots(), [&](const MetricPlot& plot) {
        return plot.id == id && !plot.metrics.empty() && plot.metrics.front().groups > 1;
    });
}

// Plots over seeds of several losses say so.
void name_mixtures(const Session& session, std::vector<PlotSpec>& plots) {
    if (!session.study()) return;
    for (const MetricPlot& map : session.study()->metric_plots()) {
        if (!map.plane || map.plane->groups.size() < 2) continue;
        const auto& groups = map.plane->groups;
        for (PlotSpec& plot : plots) {
            if (plot.id == map.id || has_line_a_group(session, plot.id)) continue;
            plot.title += fmt::format(", {} losses together", groups.size());
            plot.note += " Over the networks of all losses: " + listed(groups, &MetricPlane::Group::name) +
                         ". A click on the map shows one network.";
        }
    }
}

constexpr double kAny = std::numeric_limits<double>::max();
constexpr double kMostSmoothing = 0.99;
// "plot.loss.hidden.trained" is series "trained" of plot "loss".
constexpr const char* kPlot = "plot.";
constexpr const char* kHidden = "hidden.";

void range_fields(Fields& f, const std::string& name, std::optional<AxisRange>& range) {
    auto [low, high] = range.value_or(AxisRange(kMissing, kMissing));
    f(low, name + "_low").range(-kAny, kAny);
    f(high, name + "_high").range(-kAny, kAny);
    range.reset();
    if (is_valid({low, high}, Scale::linear)) range = {low, high};
}

void scale_field(Fields& f, const std::string& name, std::optional<Scale>& scale) {
    f.choice(scale, {{"", {}}, {"false", Scale::linear}, {"true", Scale::logarithmic}}, name);
}

// The run before: the one that a lesson holds, otherwise the one before a setting was changed.
const std::shared_ptr<const OverlaidRun>& before(const Session& session) {
    return session.ghost() ? session.ghost() : session.former();
}

// The end of the x axis for a run at `step` of `target`: a round number, so that the axis rarely moves.
double axis_end(double step, double target) {
    double end = 100.0;
    for (int i = 0; end < step; ++i) end *= i % 3 == 1 ? 2.5 : 2.0;  // 100, 200, 500, 1000, ...
    return std::max(1.0, std::min(end, target));
}

// The history's plot up to the shown step, which has a mark if it is in the past; with the lines of other runs.
PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x) {
    const Snapshot& shown = *session.snapshot();
    PlotSpec spec = session.history().plot(plot, x, shown.step);
    if (const auto marks = session.marks(); marks && plot.plane && plot.plane->marks) {
        spec.series.insert(spec.series.begin() + 1, marks->series.begin(), marks->series.end());
        spec.readout += (spec.readout.empty() || marks->sentence.empty() ? "" : "\n") + marks->sentence;
    } else if (session.lacks_marks() && plot.plane) {
        spec.readout += "\nStar: computing which algorithm the loss itself prefers…";
    }
    if (const FollowedRun* other = session.other(); other != nullptr && other->shown() && other->study()) {
        const auto& plots = other->study()->metric_plots();
        const auto same = find_if(plots, [&](const MetricPlot& one) { return one.id == plot.id; });
        // No further than A, so that both have the same number of steps.
        if (same != plots.end())
            overlay(spec, other->history().plot(*same, x, std::min(shown.step, other->shown()->step)));
    }
    std::vector<std::pair<std::string, PlotSpec>> kept;
    for (const auto& run : session.overlays())
        for (const MetricPlot& one : run->study->metric_plots())
            if (one.id == plot.id) kept.emplace_back(run->name, run->history.plot(one, x, run->snapshot->step));
    overlay_kept(spec, kept);
    // If it is the same run its curve would lie on the present one.
    if (const auto& ghost = before(session); ghost && ghost->snapshot->run_number != shown.run_number)
        for (const MetricPlot& one : ghost->study->metric_plots())
            if (one.id == plot.id) overlay_before(spec, ghost->history.plot(one, x, ghost->snapshot->step));
    if (!session.time().live() && !plot.plane) spec.lines.push_back({"", static_cast<double>(shown.step), true});
    return spec;
}

// The snapshot's own plots, with the lines of other runs.
std::vector<PlotSpec> snapshot_plots(const Session& session) {
    std::vector<PlotSpec> plots = session.snapshot()->plots;
    const FollowedRun* other = session.other();
    if (other != nullptr && other->shown()) overlay(plots, other->shown()->plots);
    for (PlotSpec& plot : plots) {
        std::vector<std::pair<std::string, PlotSpec>> kept;
        for (const auto& run : session.overlays())
            for (const PlotSpec& of_run : run->snapshot->plots)
                if (of_run.id == plot.id) kept.emplace_back(run->name, of_run);
        overlay_kept(plot, kept);
        if (const auto& ghost = before(session); ghost && ghost->snapshot != session.snapshot())
            for (const PlotSpec& of_ghost : ghost->snapshot->plots)
                if (of_ghost.id == plot.id) overlay_before(plot, of_ghost);
    }
    return plots;
}

}  // namespace

static void view_fields(Fields& f, CurvesLook& look) {
    f.choice(look.mode,
             {{"", -1}, {"standard error", 0}, {"deviation", 1}, {"quartiles", 2}, {"every seed", 3}, {"histogram", 4}},
             "spread");
    f(look.smoothing, "smoothing").range(0.0, kMostSmoothing);
    f(look.linked, "link_x");
}

static void view_fields(Fields& f, PlotView& plot) {
    range_fields(f, "x", plot.curves.x);
    range_fields(f, "y", plot.curves.y);
    range_fields(f, "bars_x", plot.bars.x);
    range_fields(f, "bars_y", plot.bars.y);
    scale_field(f, "x_log", plot.x_scale);
    scale_field(f, "y_log", plot.y_scale);
    f.choice(plot.spread,
             {{"", {}},
              {"standard error", Spread::standard_error},
              {"deviation", Spread::deviation},
              {"quartiles", Spread::median},
              {"every seed", Spread::every_seed}},
             "spread");
    double smoothing = plot.smoothing.value_or(kMissing);
    f(smoothing, "smoothing").range(0.0, kMostSmoothing);
    plot.smoothing = std::isnan(smoothing) ? std::nullopt : std::optional(smoothing);
    f(plot.histogram, "histogram");
    f(plot.markers, "markers");
}

bool CurvesPanel::only_grew(const Session& session, const Source& source) const {
    const Source& built = built_.source();
    if (!built.snapshot || built.snapshot->run_number != source.snapshot->run_number) return false;
    Source asked = source;
    asked.snapshot = built.snapshot;
    asked.other = built.other;
    asked.revision = built.revision;
    if (asked != built || !built.other != !source.other) return false;
    const bool moved = built.snapshot != source.snapshot || built.other != source.other;
    return session.live_snapshot()->status.state == RunState::running && (session.time().live() || !moved);
}

void CurvesPanel::build(const Session& session, const Source& source) {
    const Snapshot& live = *session.live_snapshot();
    std::vector<PlotSpec> former = std::exchange(specs_, {});
    AxisSpec x;
    x.label = live.step_unit;
    x.minimum = 0.0;
    // The live moment's, so that the axis stands still while the user goes through the past.
    x.maximum =
        axis_end(static_cast<double>(live.step), static_cast<double>(std::max(live.step, live.status.target_step)));
    if (session.study())
        for (const MetricPlot& plot : session.study()->metric_plots()) {
            specs_.push_back(history_plot(session, plot, x));
            // Only repeated measurements are noisy from point to point.
            if (!plot.plane) specs_.back().smoothing = static_cast<double>(look_.smoothing);
        }
    name_mixtures(session, specs_);
    for (PlotSpec& plot : snapshot_plots(session)) specs_.push_back(std::move(plot));
    keep_former(session, former);
    std::stable_partition(specs_.begin(), specs_.end(), [](const PlotSpec& plot) { return plot.leads; });
    for (PlotSpec& spec : specs_) {
        if (look_.mode >= 0) spec.spread = static_cast<Spread>(std::min(look_.mode, kModes - 2));
        if (spec.seeds.empty()) {  // otherwise its rows are no seeds
            spec.highlighted_seed = source.highlighted_seed;
            for (const SeedStatus& seed : live.seeds) spec.seeds.push_back(seed.seed);
            read_highlighted(spec, source.other != nullptr);
        }
        const auto [place, is_new] = states_.try_emplace(spec.id);
        PlotState& state = place->second;
        if (is_new) state.hold_axes(holds_axes_);
        if (is_new || look_.mode != built_.source().mode) {  // the choice for all plots replaces each plot's own
            state.view.histogram = look_.mode == kModes - 1 && has_distribution(spec);
            state.view.spread.reset();
        }
        if (look_.smoothing != built_.source().smoothing) state.view.smoothing.reset();
        for (const Series& series : spec.series)
            if (series.hidden && begun_hidden_.insert(series.name).second) state.view.hidden.insert(series.name);
        state.invalidate();
        state.prepare(spec);
    }
}

void CurvesPanel::keep_former(const Session& session, std::vector<PlotSpec>& former) {
    const Snapshot& live = *session.live_snapshot();
    const bool same = kept_experiment_ == live.experiment;
    kept_experiment_ = live.experiment;
    // Only for seconds: a map that stays empty must not show the run before.
    if (!same || live.status.state != RunState::running || !session.time().live() || !live_is_settling(live)) return;
    for (PlotSpec& spec : specs_) {
        const auto found = find_if(former, [&](const PlotSpec& old) { return old.id == spec.id; });
        if (found == former.end() || has_data(spec) || !has_data(*found)) continue;
        if (axis_title(found->x) == axis_title(spec.x) && axis_title(found->y) == axis_title(spec.y))
            spec = std::move(*found);
    }
}

void CurvesPanel::hold_axes(const Session& session) {
    const RunState state = session.live_snapshot()->status.state;
    const bool dragged = ImGui::IsMouseDown(ImGuiMouseButton_Left) && session.in_gesture();
    const bool holds = dragged || session.holds_axes() ||
                       (holds_axes_ && state == RunState::running && live_is_settling(*session.live_snapshot()));
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

// The first zoomed plot of each x axis leads.
void CurvesPanel::link_all() {
    for (auto spec = specs_.rbegin(); spec != specs_.rend(); ++spec) {
        const PlotView& view = states_.at(spec->id).view;
        if (view.curves.x || view.x_scale) follow(*spec, PlotView(view));
    }
}

void CurvesPanel::draw_spreads(const Ui& ui, const std::string& id) {
    int mode = std::max(look_.mode, 0);
    const auto drawn = states_.find(id.empty() && !specs_.empty() ? specs_.front().id : id);
    if (drawn != states_.end())
        mode = drawn->second.view.histogram ? kModes - 1 : static_cast<int>(drawn->second.shown().spread);
    if (!draw_segments(ui, "spread", {"± s.e.", "± s.d.", "quartiles", "all lines", "histogram"}, mode)) return;
    look_.mode = mode;
    Source before = built_.source();
    before.mode = -1;  // the choice replaces each plot's own, even if it is the same as before
    built_.forget(std::move(before));
}

void CurvesPanel::draw_look(const Ui& ui) {
    draw_spreads(ui);
    draw_caption(ui, "Smooth");
    ImGui::SetNextItemWidth(ui.px(110));
    ImGui::SliderFloat("##smoothing", &look_.smoothing, 0.0F, 0.99F, look_.smoothing > 0.0F ? "%.2f" : "off",
                       ImGuiSliderFlags_AlwaysClamp);
    note_item(
        ui, "smoothing",
        "Weight of the past in a debiased exponential mean of each seed's points. The measured line stays, faint. "
        "Ctrl + click to type.");
    ImGui::SameLine(0.0F, ui.px(12));
    if (draw_check(ui, "link x", "Link x", look_.linked,
                   "Plots over the same quantity zoom and move along x together.") &&
        look_.linked)
        link_all();
    ImGui::SameLine(0.0F, ui.px(12));
    if (draw_button(ui, "fit all", "Fit all", {0.0F, 0.0F}, "Every plot follows its data again  (F)")) fit_all();
}

const PlotSpec* CurvesPanel::find(const std::string& id) const {
    const auto found = find_if(specs_, [&](const PlotSpec& spec) { return spec.id == id; });
    return found == specs_.end() ? nullptr : &*found;
}

// One legend for plots with the same lines; its clicks count for all of them.
void CurvesPanel::share_legends(const std::vector<std::string>& shown) {
    std::vector<std::pair<std::set<std::string>, PlotState*>> legends;
    for (const std::string& id : shown) {
        const PlotSpec* spec = find(id);
        if (spec == nullptr) continue;
        PlotState& state = states_.at(id);
        const std::set<std::string> lines = lines_of(*spec);
        const auto same = find_if(legends, [&](const auto& legend) {
            return lines.size() > 1 &&
                   std::includes(legend.first.begin(), legend.first.end(), lines.begin(), lines.end());
        });
        state.legend.omit(same != legends.end());
        if (same == legends.end())
            legends.emplace_back(lines, &state);
        else
            state.view.hidden = same->second->view.hidden;
    }
}

void CurvesPanel::begin_frame(const Session& session, int highlighted_seed, const std::vector<std::string>& shown) {
    pointed_before_ = std::exchange(pointed_, std::nullopt);
    if (!session.snapshot()) return;
    hold_axes(session);
    Source source{session.snapshot(),
                  session.other() ? session.other()->shown() : nullptr,
                  session.history().revision(),
                  session.overlay_changes(),
                  highlighted_seed,
                  look_.mode,
                  look_.smoothing,
                  session.marks()};
    built_.update(
        source, [&] { build(session, source); }, only_grew(session, source));
    share_legends(shown);
}

void CurvesPanel::draw(const Context& context, const std::string& id, ImVec2 size) {
    const PlotSpec* spec = find(id);
    if (spec == nullptr) return;
    if (id == "map" && context.session.lacks_marks()) context.asks(ask::ComputeMarks{});
    PlotState& state = states_.at(id);
    const PlotView before = state.view;
    std::optional<double> elsewhere;
    if (pointed_before_ && !state.view.histogram && pointed_before_->first == axis_title(spec->x))
        elsewhere = pointed_before_->second;
    const PlotResponse response = draw_plot(context.ui, *spec, state, size, elsewhere);
    if (response.clicked_seed) context.asks(ask::ChooseSeed{*response.clicked_seed});
    if (look_.linked && response.reading && !state.view.histogram)
        pointed_ = {axis_title(spec->x), response.reading->x};
    const bool moved = state.view.curves.x != before.curves.x || state.view.x_scale != before.x_scale;
    if (look_.linked && moved) follow(*spec, PlotView(state.view));
}

void CurvesPanel::write_view(ViewValues& view) const {
    emergence::write_view(look_, CurvesLook(), "", view);
    PlotView first;
    first.histogram = look_.mode == kModes - 1;
    for (const auto& [id, state] : states_) {
        const std::string plot = kPlot + id + ".";
        emergence::write_view(state.view, first, plot, view);
        for (const std::string& series : state.view.hidden) view[plot + kHidden + series] = true;
    }
}

void CurvesPanel::restore_view(const ViewValues& view) {
    look_ = read_view(view, "", CurvesLook());
    states_.clear();
    PlotView first;
    first.histogram = look_.mode == kModes - 1;
    const std::string plot = kPlot;
    for (auto entry = view.lower_bound(plot); entry != view.end() && entry->first.starts_with(plot); ++entry) {
        const auto& [name, value] = *entry;
        const size_t dot = name.find('.', plot.size());
        if (dot == std::string::npos) continue;
        const auto [place, is_new] = states_.try_emplace(name.substr(plot.size(), dot - plot.size()));
        PlotView& own = place->second.view;
        if (is_new) own = read_view(view, name.substr(0, dot + 1), first);
        const std::string hidden = name.substr(0, dot + 1) + kHidden;
        if (name.starts_with(hidden) && value == ViewValue(true)) own.hidden.insert(name.substr(hidden.size()));
    }
    specs_.clear();
    Source as_chosen;  // keeps each plot's own choice
    as_chosen.mode = look_.mode;
    as_chosen.smoothing = look_.smoothing;
    built_.forget(as_chosen);
}

}  // namespace emergence
