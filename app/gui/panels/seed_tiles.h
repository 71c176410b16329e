#pragma once
// Small multiples: every seed's matrices, each seed a tile.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/panels/matrix_look.h"
#include "app/gui/shell/built_from.h"
#include "app/gui/widgets/heatmap.h"

namespace emergence {

class SeedTiles {
  public:
    /// Draws at the cursor; a click on a tile answers with that seed's index. `size.y` may be passed where
    /// there are many seeds. Each tile is logged as "tile MATRIX INDEX", of
    /// run B as "tile MATRIX B INDEX".
    /// `names` says which matrices. `other` is run B's snapshot, whose tiles follow A's; null where there is no such run.
    std::optional<int> draw(const Ui& ui, const std::shared_ptr<const Snapshot>& snapshot,
                            const std::shared_ptr<const Snapshot>& other, const MatrixLook& look,
                            const std::vector<std::string>& names, ImVec2 size);

    /// As drawn, matrix by matrix.
    std::vector<HeatmapSpec> heatmaps() const;

  private:
    struct Row {
        std::shared_ptr<const Snapshot> snapshot;
        std::string title;  // "P₀ of A, every seed"
        std::string note;   // what the colours mean
        std::vector<HeatmapSpec> tiles;
        std::vector<HeatmapState> states;
        bool common_limit = false;  // then one colour bar is for all
        HeatmapSpec bar;            // all tiles' cells
        HeatmapState bar_state;
    };
    // What the rows were built from.
    struct Source {
        std::shared_ptr<const Snapshot> snapshot, other;
        MatrixLook look;
        std::vector<std::string> names;
        bool operator==(const Source&) const = default;
    };
    void build(const Source& source);
    static Row build_row(const Snapshot& snapshot, const NamedMatrix& matrix, MatrixView view, const MatrixLook& look,
                         const std::string& run);
    void finish_rows(size_t first, bool link_limits);
    static void draw_tile(const Ui& ui, Row& row, size_t index, ImVec2 at, float side);
    static std::pair<std::optional<int>, float> draw_row(const Ui& ui, Row& row, ImVec2 start, ImVec2 size);

    BuiltFrom<Source> built_;
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
