#include "app/gui/panels/history_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/pictures/overlay.h"

namespace emergence {
namespace {

// How it was: what a lesson holds, else the run before a setting was changed.
const std::shared_ptr<const OverlaidRun>& before(const Session& session) {
    return session.ghost() ? session.ghost() : session.former();
}

}  // namespace

PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x) {
    const Snapshot& shown = *session.snapshot();
    PlotSpec spec = session.history().plot(plot, x, shown.step);
    if (const FollowedRun* other = session.other(); other != nullptr && other->shown() && other->study()) {
        const auto& plots = other->study()->metric_plots();
        const auto same =
            std::find_if(plots.begin(), plots.end(), [&](const MetricPlot& one) { return one.id == plot.id; });
        // Never further than A: what is compared is the same number of steps.
        if (same != plots.end())
            overlay(spec, other->history().plot(*same, x, std::min(shown.step, other->shown()->step)));
    }
    std::vector<std::pair<std::string, PlotSpec>> kept;
    for (const auto& run : session.overlays())
        for (const MetricPlot& one : run->study->metric_plots())
            if (one.id == plot.id) kept.emplace_back(run->name, run->history.plot(one, x, run->snapshot->step));
    overlay_kept(spec, kept);
    // Of the same run it would be the beginning of the present curve.
    if (const auto& ghost = before(session); ghost && ghost->snapshot->run_number != shown.run_number)
        for (const MetricPlot& one : ghost->study->metric_plots())
            if (one.id == plot.id) overlay_before(spec, ghost->history.plot(one, x, ghost->snapshot->step));
    if (!session.time().live() && !plot.plane) spec.lines.push_back({"", static_cast<double>(shown.step), true});
    return spec;
}

namespace {

PlotSpec structure_until(const FollowedRun::Moment& shown, const SnapshotHistory& kept, StructureHistory& history) {
    std::vector<FollowedRun::Moment> moments;
    for (const FollowedRun::Moment& moment : kept.moments())
        if (moment->step < shown->step) moments.push_back(moment);
    moments.push_back(shown);
    return history.plot(moments);
}

}  // namespace

PlotSpec structure_plot(const Session& session, StructureOfRuns& measured) {
    PlotSpec plot = structure_until(session.snapshot(), session.moments(), measured.a);
    if (plot.series.empty()) return plot;
    const FollowedRun* other = session.other();
    if (other != nullptr && other->shown()) {
        const PlotSpec beside = structure_until(other->shown(), other->moments(), measured.b);
        if (beside.series.empty())
            plot.note += fmt::format(" Run A alone: run B has no {}.", measured.plot.matrix);
        else
            overlay(plot, beside);
    }
    const auto& overlays = session.overlays();
    std::erase_if(measured.overlaid, [&](const auto& one) {
        return std::find(overlays.begin(), overlays.end(), one.first) == overlays.end();
    });
    std::vector<std::pair<std::string, PlotSpec>> kept;
    for (const auto& run : overlays) {
        auto found = std::find_if(measured.overlaid.begin(), measured.overlaid.end(),
                                  [&](const auto& one) { return one.first == run; });
        if (found == measured.overlaid.end())
            found = measured.overlaid.insert(found, {run, StructureHistory(measured.plot).plot(run->moments)});
        if (found->second.series.empty())
            plot.note += fmt::format(" Without {}, which has no {}.", run->name, measured.plot.matrix);
        else
            kept.emplace_back(run->name, found->second);
    }
    overlay_kept(plot, kept);
    if (!session.time().live()) plot.lines.push_back({"", static_cast<double>(session.snapshot()->step), true});
    return plot;
}

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

}  // namespace emergence
