#pragma once
// The matrices as learned, each beside what theory expects, the update they carry out above them, and the
// history of what is selected over them.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/heatmap.h"
#include "app/gui/widgets/plot.h"
#include "core/lab/snapshot.h"
#include "core/lab/views/shown_matrix.h"
#include "core/pictures/describe.h"
#include "core/pictures/matrix_cells.h"
#include "core/pictures/pen.h"
#include "core/settings/toml.h"

namespace emergence {

// How the matrices panel shows its matrices: what its toolbar sets.

struct MatrixLook {
    MatrixView view;
    ColorMaps maps;
    bool link_limits = true;  // all matrices' colours end at the same number
    bool link_zoom = true;    // all matrices of equal shape show the same part
    bool every_seed = false;  // small multiples instead of one seed or a mean
    bool operator==(const MatrixLook&) const = default;
};

/// Whether any of these matrices can be looked at so: some models' may not be scaled, and of some theory
/// names none.
bool mode_applies(const Snapshot& snapshot, MatrixView::Mode mode);
/// `wished` where it applies, else what is shown in its place.
MatrixView::Mode mode_in_force(const Snapshot& snapshot, MatrixView::Mode wished);

/// "P0" as P₀.
std::string with_subscript(const std::string& name);
/// What its picture is called: its title, or its name with a subscript.
std::string picture_name(const NamedMatrix& matrix);
/// The chosen colour map for its kind of values.
const char* map_name(const HeatmapSpec& spec, const MatrixLook& look);
/// The note opens with the matrix's name as its heading spells it.
void spell_name_in_note(HeatmapSpec& spec, const std::string& name);

/// Mode, seeds, small multiples.
void draw_matrix_toolbar(const Ui& ui, const Snapshot& snapshot, MatrixLook& look);

/// Rule and numbers of the colours' limits, `shown` being the present one. Logged as "limits automatic",
/// "limits percentile", "limits manual", "limits value". True where they were changed.
bool draw_limits_editor(const Ui& ui, ColorLimits& limits, double shown);
/// Links, magnitudes and colour maps.
void draw_matrix_look(const Ui& ui, MatrixLook& look);

// Small multiples: every seed's matrices, each seed a tile.

class SeedTiles {
  public:
    /// Draws at the cursor; a click on a tile answers with that seed's index. `size.y` may be passed where
    /// there are many seeds. Each tile is logged as "tile MATRIX INDEX", of
    /// run B as "tile MATRIX B INDEX".
    /// `names` says which matrices. `other` is run B's snapshot, whose tiles follow A's; null where there is no such
    /// run.
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

// The course of the selected cell or block, below the matrices.

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

// What a right click on a block of a weight matrix offers if the experiment has a setting for surgery that acts: to
// operate on a copy of the weights. It extends that setting's text and knows nothing of what is done; matrices and
// blocks have the names that the snapshot gives them.

class SurgeryMenu {
  public:
    /// Opens at the pointer for a block of the matrix of that name, "Q0".
    void open(const std::string& matrix, int row_block, int column_block);
    /// Draws it while it is open: nothing for a matrix that is no weight. Items are logged as "surgery TEXT".
    void draw(const Ui& ui, const Settings& settings, const Snapshot& snapshot, Asks& asks);

  private:
    void draw_items(const Ui& ui, const NamedMatrix& matrix, const std::string& field, const std::string& before,
                    Asks& asks) const;

    BlockReference block_;
    bool opening_ = false;
};

// In one quiet line below the matrices: in which blocks the weights that are shown are not theory's, and whether the
// rule of emergence holds all the same. What it says comes from the numbers drawn and the meanings of their blocks.

/// The blocks of one matrix that depart, the largest first.
struct MatrixDepartures {
    std::string matrix;  // as its heading has it
    std::vector<std::string> places;
    std::vector<Departure> blocks;
};

/// Those of `now` that are seen to depart; one of `before` still does a little longer, so that words do not flicker.
std::vector<Departure> seen_departures(std::vector<Departure> now, const std::vector<Departure>& before);

/// The line and what is said where it is pointed at; both "" while nothing departs, or no seed that is shown has
/// emerged and the run trains on.
struct TheoryLine {
    std::vector<std::string> sentences;  // the same in ever fewer words
    std::string details;
};
TheoryLine theory_line(const Snapshot& snapshot, const MatrixView& view, const std::vector<MatrixDepartures>& all);

/// How high its slot is, which it keeps while it says nothing.
float theory_line_height(const Ui& ui);
/// Draws it at the cursor. Logged as "theory line".
void draw_theory_line(const Ui& ui, const TheoryLine& line, float width);

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
