#pragma once
// Draws a HeatmapSpec: square cells as one texture, block borders and labels, colour bar, norm strip, and a
// readout of the cell under the pointer.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/theme.h"
#include "core/runtime/figure_spec.h"

namespace emergence {

struct CellPosition {
    int row = 0;
    int column = 0;
    bool operator==(const CellPosition&) const = default;
};

/// What a heatmap remembers between frames.
class HeatmapState {
  public:
    /// The specification was replaced: its colours have to be computed again.
    void invalidate() { uploaded_ = false; }
    ImTextureID texture(const Ui& ui, const HeatmapSpec& spec);
    /// The norm that fills the strip: the largest seen so far, at least twice the reference.
    double norm_top(const HeatmapSpec& spec);

  private:
    bool uploaded_ = false;
    Theme theme_ = Theme::dark;
    ImTextureID texture_ = nullptr;
    double norm_top_ = 0.0;
    double norm_reference_ = 0.0;
};

/// What is known besides the picture itself.
struct HeatmapContext {
    std::optional<CellPosition> highlight;   // a cell that is pointed at elsewhere
    const HeatmapSpec* companion = nullptr;  // its cells are read beside this one's; may be null
    std::string companion_name;              // "theory"
    std::string help;                        // said where the title is pointed at
};

struct HeatmapResponse {
    std::optional<CellPosition> hovered;
    double value = 0.0;
    std::string row_text;     // "row 9: R"
    std::string column_text;  // "column 3: phi, 3 of 4"
    ImVec2 cells_min;         // the matrix itself, in pixels
    ImVec2 cells_max;
};

/// Draws at the cursor, `size` pixels large.
HeatmapResponse draw_heatmap(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, ImVec2 size,
                             const HeatmapContext& context);

/// Which block an index falls into, in words: "R", or "phi, 3 of 4" where the block is longer than one.
std::string block_text(const std::vector<Block>& blocks, int index);

}  // namespace emergence
