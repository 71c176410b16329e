#pragma once
// The matrices as learned, each beside what theory expects.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/layout.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"
#include "app/gui/widgets/heatmap.h"

namespace emergence {

class MatricesPanel {
  public:
    void draw(const Ui& ui, const Box& box, const Session& session);
    void next_mode();

    /// The seed that is shown; -1 for a mean.
    int& seed_index() { return view_.seed_index; }
    const MatrixView& view() const { return view_; }
    /// The matrices as they are drawn: each as learned, followed by theory's.
    const std::vector<HeatmapSpec>& heatmaps() const;
    /// What was read under the pointer in the last frame, of a learned matrix or of theory's.
    const std::optional<HeatmapResponse>& hovered() const { return hovered_; }

  private:
    // One matrix of the snapshot: what was learned, and theory's.
    struct Pair {
        HeatmapSpec learned;
        std::optional<HeatmapSpec> theory;
        std::string help;
        HeatmapState learned_state;
        HeatmapState theory_state;
        std::optional<CellPosition> pointed;  // in the last frame
    };

    void draw_toolbar(const Ui& ui, const Session& session);
    void draw_seed_choice(const Ui& ui, const Snapshot& snapshot);
    void rebuild(const std::shared_ptr<const Snapshot>& snapshot);
    void draw_pair(const Ui& ui, Pair& pair, ImVec2 size);

    MatrixView view_;
    std::shared_ptr<const Snapshot> built_from_;
    MatrixView built_view_;
    std::vector<Pair> pairs_;
    mutable std::vector<HeatmapSpec> heatmaps_;
    mutable bool heatmaps_stale_ = true;
    std::optional<HeatmapResponse> hovered_;
};

}  // namespace emergence
