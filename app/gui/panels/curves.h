#pragma once
// The training history and the snapshot's own curves, as plots with linked x axes.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot.h"
#include "core/settings/toml.h"

namespace emergence {

// The training history at the moment that is shown, of run A and, where there is one, of run B in the same
// plots.

/// The history's plot until the shown step, with a mark there while that is in the past; run B's lines as
/// overlay() adds them.
PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x);

/// The snapshot's own plots, with run B's lines beside A's in those that both have.
std::vector<PlotSpec> snapshot_plots(const Session& session);

/// How all curves are looked at.
struct CurvesLook {
    int mode = -1;  // the spreads, and the histogram; -1: each plot as it was made
    float smoothing = 0.0F;
    bool linked = true;  // plots with the same x axis
};

class CurvesPanel {
  public:
    /// Brings the plots to the moment shown; before anything of a frame is drawn. `highlighted_seed`: the one that is
    /// looked at elsewhere; -1: none. `shown`: the ids of the plots that will be drawn, in their order: a plot whose
    /// lines are those of one before it has no legend.
    void begin_frame(const Session& session, int highlighted_seed, const std::vector<std::string>& shown);
    /// Draws the plot of that id at the cursor, `size` pixels large; nothing if no plot has it.
    void draw(const Context& context, const std::string& id, ImVec2 size);
    /// How all plots are looked at: what is drawn of the seeds, as the plot of this id or the first one has it; then all
    /// the rest.
    void draw_spreads(const Ui& ui, const std::string& id = {});
    void draw_look(const Ui& ui);
    /// Standard error, deviation, quartiles, every seed, histogram, and from the start.
    void next_spread() { look_.mode = (std::max(look_.mode, 0) + 1) % kModes; }
    /// Every plot follows its data again.
    void fit_all();

    /// As they are drawn, axes' limits included: what is exported.
    std::vector<PlotSpec> plots() const;

    /// How the curves are looked at, what is not as it is at the start: these choices, and each
    /// plot's ranges, scales and hidden series.
    void write_view(ViewValues& view) const;
    /// Looks at them so; what is missing or not possible is as at the start.
    void restore_view(const ViewValues& view);

  private:
    static constexpr int kModes = 5;  // the spreads, and the histogram

    // What the plots were built from.
    struct Source {
        std::shared_ptr<const Snapshot> snapshot, other;  // other: run B's; null if none
        uint64_t revision = 0;                            // of the metrics
        int overlays = 0;                                 // changes of the saved runs beside it
        int highlighted_seed = -1;
        int mode = -1;
        float smoothing = 0.0F;
        std::shared_ptr<const PlaneMarks> marks;  // of the map
        bool operator==(const Source&) const = default;
    };
    // Summaries over seeds may take this share of the window's time, no more.
    static constexpr double kBuildShare = 0.2;

    /// Only data was added to what was built, while the run trains.
    bool only_grew(const Session& session, const Source& source) const;
    /// Puts the former plot in the place of one that a restarted run has no data for yet.
    void keep_former(const Session& session, std::vector<PlotSpec>& former);
    /// While a setting is dragged, and until the run it began is shown in full, axes stand still.
    void hold_axes(const Session& session);
    void build(const Session& session, const Source& source);
    void share_legends(const std::vector<std::string>& shown);
    const PlotSpec* find(const std::string& id) const;
    /// Plots with the same x axis take over the range and scale of the one that its user has changed.
    void follow(const PlotSpec& changed, const PlotView& view);
    void link_all();

    CurvesLook look_;
    BuiltFrom<Source> built_{kBuildShare};
    std::vector<PlotSpec> specs_;  // without their views
    std::string kept_experiment_;  // of specs_
    bool holds_axes_ = false;
    std::set<std::string> begun_hidden_;       // series that are drawn only once their user asks for them
    std::map<std::string, PlotState> states_;  // by the plots' ids, so that a view outlives a restart
    // An x axis and where it is read, in this frame and in the last one.
    std::optional<std::pair<std::string, double>> pointed_, pointed_before_;
};

/// The end of the x axis for a run at `step` of `target`: a round number beyond it, so that the axis keeps
/// still most of the time.
double axis_end(double step, double target);

}  // namespace emergence
