#pragma once
// The matrices as learned, each beside what theory expects, the update they carry out above them, and the
// history of what is selected over them.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/panels/cell_history_plot.h"
#include "app/gui/panels/matrix_look.h"
#include "app/gui/panels/seed_tiles.h"
#include "app/gui/panels/surgery_menu.h"
#include "app/gui/panels/theory_line.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/built_from.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/heatmap.h"
#include "core/pictures/matrix_cells.h"
#include "core/settings/toml.h"

namespace emergence {

class MatricesPanel {
  public:
    /// Brings the pictures to the moment shown; before anything of a frame is drawn.
    void begin_frame(const Session& session);
    /// Draws these matrices at the cursor, `size` pixels large, with toolbar, formula and theory's.
    void draw(const Context& context, const std::vector<std::string>& names, ImVec2 size);
    /// Every seed's as tiles. False where they are left for one seed's matrices.
    bool draw_tiles(const Context& context, ImVec2 size);
    /// As learned, side by side, without anything that is operated.
    void draw_small(const Ui& ui, const std::vector<std::string>& names, ImVec2 size);
    /// The tiles likewise; a click chooses a seed, whose matrices then stand here alone.
    void draw_small_tiles(const Ui& ui, const Session& session, ImVec2 size);
    void next_mode();
    /// Each experiment's matrices are looked at as they were left: what is raw, scaled or seed 3 of one is not that of
    /// another.
    void look_at(const std::string& experiment);
    /// Opens the menu of colours: of this matrix, or of all.
    void open_look(const std::string& matrix = {}) {
        limits_for_ = matrix;
        opens_look_ = true;
    }
    /// A cell's history is to be seen. It lies over the matrices unless somebody draws it elsewhere.
    bool wants_history() const { return selection_ && !look_.every_seed; }
    void draw_history_elsewhere(bool elsewhere) { history_elsewhere_ = elsewhere; }
    /// At the cursor, with a button that closes it.
    void draw_history(const Ui& ui, const Session& session, ImVec2 size);
    /// Nothing is selected any more. True where something was.
    bool deselect() { return std::exchange(selection_, std::nullopt).has_value(); }
    /// The moment that this one can be compared with; null for none. A comparison under way follows it.
    void set_pinned(std::shared_ptr<const Snapshot> pinned);
    /// Shows matrices minus those of the pinned moment, or no longer.
    void show_change(bool on) { look_.view.baseline = on ? pinned_ : nullptr; }

    /// The seed that is shown; -1 for a mean.
    int& seed_index() { return look_.view.seed_index; }
    /// No seed is shown alone any more. True where one was.
    bool show_all_seeds() { return std::exchange(look_.view.seed_index, -1) >= 0; }
    void use(const ColorMaps& maps) { look_.maps = maps; }
    const MatrixView& view() const { return look_.view; }
    const MatrixLook& look() const { return look_; }
    const std::optional<MatrixSelection>& selection() const { return selection_; }
    /// What was read under the pointer in the last frame, of a learned matrix or of theory's.
    const std::optional<HeatmapResponse>& hovered() const { return hovered_; }
    /// The pictures as drawn: each matrix and theory's, or every seed's; then for a file.
    std::vector<HeatmapSpec> heatmaps() const;
    /// How they are looked at, what is not as it is at the start: mode, seeds, tiles, limits.
    void write_view(ViewValues& view) const;
    /// Looks at them so; what is missing or not possible is as at the start.
    void restore_view(const ViewValues& view);
    /// The selected cell's or block's history as drawn; nothing where none is selected.
    const PlotSpec* history() const { return selection_ ? &history_.plot() : nullptr; }

  private:
    enum class Which { learned, theory, other, theory_of_other };
    // One matrix of the snapshot: what was learned, what run B has learned, and theory's.
    struct Pair {
        std::string name;
        std::string title;  // the same for a heading
        HeatmapSpec learned;
        std::optional<HeatmapSpec> other;  // what stands beside it
        std::optional<HeatmapSpec> theory;
        std::optional<HeatmapSpec> theory_of_other;  // where it is another
        bool shares_limit = false;                   // theory's colours end where the learned ones do
        std::string help;
        HeatmapState learned_state;
        HeatmapState other_state;
        HeatmapState theory_state;
        HeatmapState theory_of_other_state;
        MatrixZoom zoom;
        std::optional<CellPosition> pointed;  // in the last frame
        std::vector<Departure> departures;    // of what was learned from theory
    };
    // What stands beside the learned matrices: run B's, or how they were before. Null: nothing.
    struct Beside {
        std::shared_ptr<const Snapshot> moment;
        bool before = false;
        bool operator==(const Beside&) const = default;
    };
    // What pairs_ was built from.
    struct Source {
        std::shared_ptr<const Snapshot> snapshot;
        Beside beside;
        MatrixLook look;
        std::map<std::string, ColorLimits> own_limits;
        bool operator==(const Source&) const = default;
    };

    void settle_mode(const Snapshot& snapshot);
    static Beside beside(const Session& session);
    void update(const std::shared_ptr<const Snapshot>& snapshot, const Beside& beside);
    void build(const Snapshot& snapshot, const Beside& beside);
    HeatmapSpec theory_of(const Snapshot& snapshot, const NamedMatrix& matrix, bool magnitudes) const;
    void build_pair(const Snapshot& snapshot, const NamedMatrix& matrix, Pair& pair);
    void build_other(const Snapshot& snapshot, const Beside& beside, bool apart, Pair& pair);
    void link_limits();
    void draw_formulas(const Ui& ui, const Session& session, const std::vector<std::string>& names);
    void draw_pictures(const Context& context, const std::vector<std::string>& names, ImVec2 room);
    void draw_pictures_and_line(const Context& context, const std::vector<std::string>& names);
    void draw_matrices(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room);
    struct PictureRoom {
        ImVec2 min, size;
        HeatmapBar bar = HeatmapBar::beside;
        bool bar_at_neighbour = false;
    };
    void draw_picture(const Ui& ui, Pair& pair, Which which, const PictureRoom& room,
                      const std::optional<CellPosition>& pointed);
    void draw_pair(const Ui& ui, Pair& pair, ImVec2 size);  // each of its pictures that large
    void draw_with_small_theory(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room);
    double smallest_cell(const Ui& ui, const std::vector<Pair*>& shown, Size picture, bool bar_below) const;
    void arrange(const Ui& ui, const std::vector<Pair*>& shown, ImVec2 room);
    void place_small_theory(const Ui& ui, const std::vector<Pair*>& shown, std::vector<int> groups, ImVec2 room);
    std::vector<Pair*> pairs_of(const std::vector<std::string>& names);
    void draw_history_over(const Ui& ui, const Session& session, const Bounds& pictures);
    static int pictures_of(const Pair& pair);
    static bool one_bar(const Pair& pair);
    std::pair<HeatmapBar, float> bar_given(const Ui& ui, const Pair& pair, ImVec2 size) const;
    ImVec2 close_together(const Ui& ui, const std::vector<Pair*>& shown) const;
    HeatmapResponse draw_one(const Ui& ui, Pair& pair, Which which, const PictureRoom& room,
                             const std::optional<CellPosition>& pointed);
    void respond(Pair& pair, Which which, const HeatmapResponse& response);
    void draw_look(const Ui& ui);
    void keep_selection(const Snapshot& snapshot);
    ColorLimits& limits_of(const std::string& matrix);
    MatrixZoom& zoom_of(Pair& pair);

    // How the matrices of another experiment were left.
    struct Left {
        MatrixView view;
        std::optional<MatrixView::Mode> wished_mode;
        std::map<std::string, ColorLimits> own_limits;
    };

    MatrixLook look_;
    std::string experiment_;
    std::map<std::string, Left> left_;
    std::optional<MatrixView::Mode> wished_mode_;  // where it does not apply to this model
    std::shared_ptr<const Snapshot> pinned_;
    std::map<std::string, ColorLimits> own_limits_;           // by matrix, while limits are not linked
    std::map<std::pair<int, int>, MatrixZoom> linked_zooms_;  // by shape
    BuiltFrom<Source> built_;
    std::vector<Pair> pairs_;
    SeedTiles tiles_;
    bool tiles_on_stage_ = false;  // in the last frame
    MatrixArrangement arrangement_;
    std::vector<int> arranged_;  // the pictures of each matrix in it
    bool presented_ = false;     // when it was made
    bool bar_below_ = false;     // the colour bars lie below the matrices
    bool theory_small_ = false;  // instead, what was learned is large
    TheoryPlace theory_place_;
    CellHistoryPlot history_;
    bool history_elsewhere_ = false;
    bool history_open_ = false;
    bool history_above_ = false;  // at the upper end of the matrices, since it was opened
    SurgeryMenu surgery_;
    std::optional<HeatmapResponse> hovered_;
    std::optional<BlockReference> pointed_block_;  // in the last frame
    std::vector<BlockReference> spoken_of_;        // by the term that is pointed at
    std::optional<MatrixSelection> selection_;
    std::optional<MatrixSelection> selection_before_click_;
    bool ignore_click_ = false;  // the second one of a double click
    std::string limits_for_;     // the matrix whose colours are chosen; "" for all
    bool opens_look_ = false;
};

}  // namespace emergence
