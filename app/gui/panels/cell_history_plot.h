#pragma once
// The course of the selected cell or block, below the matrices.

#include <memory>

#include "app/gui/panels/cell_history.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot.h"

namespace emergence {

class CellHistoryPlot {
  public:
    /// Draws at the cursor. Logged as "cell history".
    void draw(const Ui& ui, const Session& session, const MatrixSelection& selection, const MatrixView& view,
              ImVec2 size);
    const PlotSpec& plot() const { return plot_; }

  private:
    bool stale(const Session& session, const MatrixSelection& selection, const MatrixView& view) const;

    PlotSpec plot_;
    PlotState state_;
    MatrixSelection built_selection_;
    MatrixView built_view_;
    std::shared_ptr<const Snapshot> built_from_;
    double built_at_ = 0.0;    // seconds
    double build_cost_ = 0.0;  // seconds that the last building took
};

}  // namespace emergence
