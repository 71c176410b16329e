#include "app/gui/panels/history_plots.h"

#include <algorithm>
#include <utility>

#include "core/pictures/plot.h"

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
