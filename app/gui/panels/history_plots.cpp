#include "app/gui/panels/history_plots.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/pictures/line_style.h"

namespace emergence {

namespace {

// Whether run B has the same companion with numbers of its own, which are left out.
bool differs_in(const PlotSpec& of_b, const Series& series) {
    return std::any_of(of_b.series.begin(), of_b.series.end(), [&](const Series& other) {
        return other.dashed && other.name == series.name && other.rows != series.rows;
    });
}

}  // namespace

void overlay(PlotSpec& plot, const PlotSpec& of_b) {
    const auto solid_in_color = [&](int color) {
        return std::any_of(plot.series.begin(), plot.series.end(),
                           [color](const Series& one) { return !one.dashed && one.color == color; });
    };
    // A companion in the colour of a curve would look like that curve of run B.
    std::vector<Series> kept;
    for (const Series& series : plot.series)
        if (!series.dashed || !solid_in_color(series.color)) kept.push_back(series);
    for (Series& series : kept)
        if (series.name.empty())
            continue;  // what belongs to the series before it
        else if (!series.dashed)
            series.name += ", A";
        else if (!series.name.empty() && differs_in(of_b, series))
            series.name += ", A only";
    for (const Series& series : of_b.series) {
        if (series.dashed) continue;
        kept.push_back(series);
        if (!series.name.empty()) kept.back().name += ", B";
        kept.back().dashed = true;
    }
    plot.series = std::move(kept);
    plot.note += (plot.note.empty() ? "" : " ") +
                 std::string(
                     "Run B is dashed, in the colours of run A; references are run A's, and what would be "
                     "dashed in the colour of a curve is left out.");
}

namespace {

// Solid lines, by their places among the plot's quantities.
template <class Change>
void for_quantities(std::vector<Series>& all, size_t until, Change change) {
    int quantity = 0;
    for (size_t i = 0; i < until; ++i)
        if (!all[i].dashed && !all[i].name.empty()) change(all[i], quantity++);
}

// One colour a run, a line style a quantity: the first solid, the others in patterns that no reference has.
void style_as(Series& series, int run, int quantity) {
    constexpr int kColors[] = {0, 6, 3, 2, 4, 5, 1, 7, 8, 9, 10, 11};  // far apart; the present run's first
    series.color = in_dashes(kColors[static_cast<size_t>(run + 1) % std::size(kColors)], quantity);
    series.dashed = quantity > 0;
}

bool look_alike(const Series& a, const Series& b) {
    return a.color == b.color && a.dashed == b.dashed && a.points == b.points;
}

// Lines from `first` on that look as one before them get another dash pattern.
void tell_apart(std::vector<Series>& all, size_t first) {
    for (size_t i = first; i < all.size(); ++i) {
        const auto taken = [&] {
            return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                               [&](const Series& one) { return look_alike(one, all[i]); });
        };
        for (int pattern = 1; pattern < kDashPatterns && taken(); ++pattern) {
            all[i].color = in_dashes(all[i].color, pattern);
            all[i].dashed = true;
        }
    }
}

}  // namespace

void overlay_kept(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& kept) {
    if (kept.empty()) return;
    const bool several = kept.size() > 1;
    const size_t own = plot.series.size();
    int run = 0;
    for (const auto& [name, of_run] : kept) {
        std::vector<Series> lines = of_run.series;
        for_quantities(lines, lines.size(), [&, label = name](const Series& series, int quantity) {
            Series& added = plot.series.emplace_back(series);
            added.name += ", " + label;
            added.dashed = true;
            if (several) style_as(added, run, quantity);
        });
        ++run;
    }
    if (several)
        for_quantities(plot.series, own,
                       [](Series& series, int quantity) { style_as(series, -1, quantity); });
    tell_apart(plot.series, own);
    plot.note +=
        (plot.note.empty() ? "" : " ") +
        std::string(several ? "Each run has a colour, each quantity a line style: kept runs are named "
                              "behind the quantity, the present run is not."
                            : "The kept run is dashed, in the colours of the present one.");
}

void overlay_before(PlotSpec& plot, const PlotSpec& before) {
    constexpr int kGrey = 7;  // of the categorical palette
    std::vector<Series> lines = before.series;
    for_quantities(lines, lines.size(), [&](const Series& series, int quantity) {
        Series& added = plot.series.emplace_back(series);
        added.name += ", before";
        added.dashed = true;
        added.color = in_dashes(kGrey, quantity);
    });
    plot.note += (plot.note.empty() ? "" : " ") + std::string("Grey: how it was before the change.");
}

PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x) {
    const Snapshot& shown = *session.snapshot();
    PlotSpec spec = session.history().plot(plot, x, shown.step);
    if (const FollowedRun* other = session.other(); other != nullptr && other->shown() && other->study()) {
        const auto& plots = other->study()->metric_plots();
        const auto same = std::find_if(plots.begin(), plots.end(),
                                       [&](const MetricPlot& one) { return one.id == plot.id; });
        // Never further than A: what is compared is the same number of steps.
        if (same != plots.end())
            overlay(spec, other->history().plot(*same, x, std::min(shown.step, other->shown()->step)));
    }
    std::vector<std::pair<std::string, PlotSpec>> kept;
    for (const auto& run : session.overlays())
        for (const MetricPlot& one : run->study->metric_plots())
            if (one.id == plot.id)
                kept.emplace_back(run->name, run->history.plot(one, x, run->snapshot->step));
    overlay_kept(spec, kept);
    // Of the same run it would be the beginning of the present curve.
    if (const auto& ghost = session.ghost(); ghost && ghost->snapshot->run_number != shown.run_number)
        for (const MetricPlot& one : ghost->study->metric_plots())
            if (one.id == plot.id) overlay_before(spec, ghost->history.plot(one, x, ghost->snapshot->step));
    if (!session.time().live()) spec.lines.push_back({"", static_cast<double>(shown.step), true});
    return spec;
}

namespace {

PlotSpec structure_until(const FollowedRun::Moment& shown, const SnapshotHistory& kept,
                         StructureHistory& history) {
    std::vector<FollowedRun::Moment> moments;
    for (const FollowedRun::Moment& moment : kept.moments())
        if (moment->step < shown->step) moments.push_back(moment);
    moments.push_back(shown);
    return history.plot(moments);
}

}  // namespace

PlotSpec structure_plot(const Session& session, StructureHistory& of_a, StructureHistory& of_b) {
    PlotSpec plot = structure_until(session.snapshot(), session.moments(), of_a);
    const FollowedRun* other = session.other();
    if (other != nullptr && other->shown()) {
        const PlotSpec beside = structure_until(other->shown(), other->moments(), of_b);
        if (!beside.series.empty()) overlay(plot, beside);
    }
    if (!session.time().live())
        plot.lines.push_back({"", static_cast<double>(session.snapshot()->step), true});
    return plot;
}

std::vector<PlotSpec> snapshot_plots(const Session& session) {
    std::vector<PlotSpec> plots = session.snapshot()->plots;
    const FollowedRun* other = session.other();
    if (other != nullptr && other->shown())
        for (PlotSpec& plot : plots)
            for (const PlotSpec& of_b : other->shown()->plots)
                if (of_b.id == plot.id) overlay(plot, of_b);
    for (PlotSpec& plot : plots) {
        std::vector<std::pair<std::string, PlotSpec>> kept;
        for (const auto& run : session.overlays())
            for (const PlotSpec& of_run : run->snapshot->plots)
                if (of_run.id == plot.id) kept.emplace_back(run->name, of_run);
        overlay_kept(plot, kept);
        if (const auto& ghost = session.ghost(); ghost && ghost->snapshot != session.snapshot())
            for (const PlotSpec& before : ghost->snapshot->plots)
                if (before.id == plot.id) overlay_before(plot, before);
    }
    return plots;
}

}  // namespace emergence
