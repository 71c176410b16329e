#pragma once
// Small multiples: every seed's matrices, each seed a tile.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panels/matrix_look.h"
#include "app/gui/widgets/heatmap.h"

namespace emergence {

class SeedTiles {
  public:
    /// Draws at the cursor; a click on a tile answers with that seed's index. `size.y` may be passed where
    /// there are many seeds. Each tile is logged as "tile MATRIX INDEX".
    std::optional<int> draw(const Ui& ui, const std::shared_ptr<const Snapshot>& snapshot,
                            const MatrixLook& look, ImVec2 size);

    /// As drawn, matrix by matrix.
    std::vector<HeatmapSpec> heatmaps() const;

  private:
    struct Row {
        std::string title;  // "P0, every seed"
        std::string note;   // what the colours mean
        std::vector<HeatmapSpec> tiles;
        std::vector<HeatmapState> states;
    };
    void rebuild(const std::shared_ptr<const Snapshot>& snapshot, const MatrixLook& look);
    std::optional<int> draw_row(const Ui& ui, const Snapshot& snapshot, Row& row, ImVec2 size);

    std::shared_ptr<const Snapshot> built_from_;
    MatrixLook built_look_;
    std::vector<Row> rows_;
};

/// How many columns of equal squares with a line of text above each make the largest squares in this room;
/// and how large they are, at least `smallest`.
struct TileGrid {
    int columns = 1;
    float side = 0.0F;
};
TileGrid fit_tiles(int count, ImVec2 room, float line, float gap, float smallest);

}  // namespace emergence
