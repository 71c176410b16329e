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

/// How all curves are drawn.
struct CurvesLook {
    int mode = -1;  // a Spread or, behind those, the histogram; -1: each plot's own
    float smoothing = 0.0F;
    bool linked = true;  // plots with the same x axis
};

class CurvesPanel {
  public:
    /// Brings the plots to the moment shown; called before a frame is drawn. `highlighted_seed`: the seed that the
    /// matrices show; -1: none. `shown`: the ids of the plots that will be drawn, in order: a plot with the same lines as
    /// an earlier one has no legend.
    void begin_frame(const Session& session, int highlighted_seed, const std::vector<std::string>& shown);
    /// Draws the plot of this id, if there is one, at the cursor, `size` pixels large.
    void draw(const Context& context, const std::string& id, ImVec2 size);
    /// Controls for how all plots draw the seeds, showing the choice of this plot or of the first one; and for the rest of
    /// the look.
    void draw_spreads(const Ui& ui, const std::string& id = {});
    void draw_look(const Ui& ui);
    /// Standard error, deviation, quartiles, every seed, histogram, and again.
    void next_spread() { look_.mode = (std::max(look_.mode, 0) + 1) % kModes; }
    /// Every plot follows its data again.
    void fit_all();

    /// The plots as drawn and exported, with the limits of their axes.
    std::vector<PlotSpec> plots() const;

    /// Writes what differs from the start: the look, and each plot's ranges, scales and hidden series.
    void write_view(ViewValues& view) const;
    /// Takes it back; what is missing or not possible is as at the start.
    void restore_view(const ViewValues& view);

  private:
    static constexpr int kModes = 5;  // the spreads, and the histogram

    // The state from which the plots were built.
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
    // The largest share of the window's time for summaries over seeds.
    static constexpr double kBuildShare = 0.2;

    /// Only data was added since the plots were built, while the run trains.
    bool only_grew(const Session& session, const Source& source) const;
    /// Keeps a former plot as long as a restarted run has no data for it.
    void keep_former(const Session& session, std::vector<PlotSpec>& former);
    /// The axes stand still while a setting is dragged and until its run is shown in full.
    void hold_axes(const Session& session);
    void build(const Session& session, const Source& source);
    void share_legends(const std::vector<std::string>& shown);
    const PlotSpec* find(const std::string& id) const;
    /// Plots with the same x axis take the range and scale of this one, which the user has changed.
    void follow(const PlotSpec& changed, const PlotView& view);
    void link_all();

    CurvesLook look_;
    BuiltFrom<Source> built_{kBuildShare};
    std::vector<PlotSpec> specs_;  // without their views
    std::string kept_experiment_;  // of specs_
    bool holds_axes_ = false;
    std::set<std::string> begun_hidden_;       // series that are hidden until the user shows them
    std::map<std::string, PlotState> states_;  // by the plots' ids, so that a view outlives a restart
    // The x axis and the place that the pointer reads, in this frame and in the last one.
    std::optional<std::pair<std::string, double>> pointed_, pointed_before_;
};

}  // namespace emergence
