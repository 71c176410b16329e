#pragma once
// The course of the selected cell or block, below the matrices.

#include <memory>

#include "app/gui/session/session.h"
#include "app/gui/shell/built_from.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {

class CellHistoryPlot {
  public:
    /// Draws at the cursor. Logged as "cell history".
    void draw(const Ui& ui, const Session& session, const MatrixSelection& selection, const MatrixView& view,
              ImVec2 size);
    const PlotSpec& plot() const { return plot_; }

  private:
    // What the plot was built from.
    struct Source {
        MatrixSelection selection;
        MatrixView view;
        std::shared_ptr<const Snapshot> last_moment;
        bool operator==(const Source&) const = default;
    };
    // Building may take this share of the window's time, no more.
    static constexpr double kShare = 0.1;

    PlotSpec plot_;
    PlotState state_;
    BuiltFrom<Source> built_{kShare};
};

}  // namespace emergence
