#pragma once
// The training history and the snapshot's own curves, as a column of plots.

#include <cstdint>
#include <memory>
#include <vector>

#include "app/gui/layout.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"
#include "app/gui/widgets/plot.h"

namespace emergence {

class CurvesPanel {
  public:
    void draw(const Ui& ui, const Box& box, const Session& session);
    void next_spread() { spread_ = (spread_ + 1) % 4; }

    Spread spread() const { return static_cast<Spread>(spread_); }
    const std::vector<PlotSpec>& plots() const { return specs_; }

  private:
    bool stale(const Session& session) const;
    void rebuild(const Session& session);

    int spread_ = 0;
    std::shared_ptr<const Snapshot> built_from_;
    std::shared_ptr<const Snapshot> built_other_;  // of run B; null where there is none
    uint64_t built_revision_ = 0;
    int built_spread_ = -1;
    double built_at_ = 0.0;    // seconds of ImGui's clock
    double build_cost_ = 0.0;  // seconds that the last building took
    std::vector<PlotSpec> specs_;
    std::vector<PlotState> states_;
};

/// The end of the x axis for a run at `step` of `target`: a round number beyond it, so that the axis keeps
/// still most of the time.
double axis_end(double step, double target);

}  // namespace emergence
