#pragma once
// The learned matrices, each beside the one that theory expects, with the formula of their update above them and the
// history of the selected cell over them.

#include <array>
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
#include "core/lab/views/run_views.h"
#include "core/pictures/describe.h"
#include "core/pictures/matrix_cells.h"
#include "core/pictures/pen.h"
#include "core/settings/toml.h"

namespace emergence {

/// How the panel shows its matrices.
struct MatrixLook {
    MatrixView view;
    bool link_limits = true;  // the colours of all matrices end at the same number
    bool every_seed = false;  // tiles instead of one seed or a mean
    bool operator==(const MatrixLook&) const = default;
};

/// Whether any of these matrices can be shown so: some may not be scaled, for some there is no theory.
bool mode_applies(const Snapshot& snapshot, MatrixView::Mode mode);
/// `wished` if it applies, otherwise the mode that takes its place.
MatrixView::Mode mode_in_force(const Snapshot& snapshot, MatrixView::Mode wished);

/// The name of its picture: its title, or its name with a subscript, P₀.
std::string picture_name(const NamedMatrix& matrix);

/// Mode and seeds.
void draw_matrix_toolbar(const Ui& ui, const Snapshot& snapshot, MatrixLook& look);
/// The same in words, for a presentation: "mean of all networks, scaled". It stands at the right end of the line at the
/// cursor, which stays. Returns the width it takes. Logged as "matrix caption".
float draw_matrix_caption(const Ui& ui, const Snapshot& snapshot, const MatrixLook& look);

/// Rule and number of the limits of colours; `shown` is the present limit. Logged as "limits automatic", "limits
/// manual", "limits value". True if they were changed.
bool draw_limits_editor(const Ui& ui, ColorLimits& limits, double shown);
/// Common limits and magnitudes.
void draw_matrix_look(const Ui& ui, MatrixLook& look);

/// Every seed's matrices as small tiles.
class SeedTiles {
  public:
    /// Draws the matrices `names` at the cursor. Returns the index of a clicked seed. Many seeds may need more height than
    /// `size.y`. `other`: run B's snapshot, whose tiles follow A's; may be null. Tiles are logged as "tile MATRIX INDEX",
    /// of run B as "tile MATRIX B INDEX".
    std::optional<int> draw(const Ui& ui, const std::shared_ptr<const Snapshot>& snapshot,
                            const std::shared_ptr<const Snapshot>& other, const MatrixLook& look,
                            const std::vector<std::string>& names, ImVec2 size);

    /// The tiles as drawn, matrix by matrix.
    std::vector<HeatmapSpec> heatmaps() const;

  private:
    struct Row {
        std::shared_ptr<const Snapshot> snapshot;
        std::string title;  // "P₀ of A, every network"
        std::string note;   // the meaning of the colours
        std::vector<HeatmapSpec> tiles;
        std::vector<HeatmapState> states;
        bool common_limit = false;  // one colour bar is for all
        HeatmapSpec bar;            // has the cells of all tiles
        HeatmapState bar_state;
    };
    struct Source {
        std::shared_ptr<const Snapshot> snapshot, other;
        MatrixLook look;
        std::vector<std::string> names;
        bool operator==(const Source&) const = default;
    };
    void build(const Source& source);
    static Row build_row(const Snapshot& snapshot, const NamedMatrix& matrix, MatrixView view, const std::string& run);
    void finish_rows(size_t first, bool link_limits);
    static void draw_tile(const Ui& ui, Row& row, size_t index, ImVec2 at, float side, const PictureStyle& style);
    static std::pair<std::optional<int>, float> draw_row(const Ui& ui, Row& row, ImVec2 start, ImVec2 size);

    BuiltFrom<Source> built_;
    std::vector<Row> rows_;
};

/// The columns that make equal squares, each with a line of text above it, largest in this room; and their side, at least
/// `smallest`.
struct TileGrid {
    int columns = 1;
    float side = 0.0F;
};
TileGrid fit_tiles(int count, ImVec2 room, float line, float gap, float smallest);

/// The menu of a right click on a block of a weight matrix: surgery on a copy of the weights, if the experiment has a
/// setting for it that acts. The menu adds words to that setting's text; it does not operate itself.
class SurgeryMenu {
  public:
    /// Opens at the pointer for a block of the matrix of that name, "Q0".
    void open(const std::string& matrix, int row_block, int column_block);
    /// Draws the menu while it is open, for weights only. Items are logged as "surgery TEXT".
    void draw(const Ui& ui, const Settings& settings, const Snapshot& snapshot, Asks& asks);

  private:
    void draw_items(const Ui& ui, const NamedMatrix& matrix, const std::string& field, const std::string& before,
                    Asks& asks) const;

    BlockReference block_;
    bool opening_ = false;
};

// A line below the matrices: the blocks in which the weights shown differ from theory's, and whether the rule of emergence
// holds nevertheless.

/// The blocks of one matrix that differ, the largest departure first.
struct MatrixDepartures {
    std::string matrix;  // as in its heading
    std::vector<std::string> places;
    std::vector<Departure> blocks;
};

/// Those of `now` that are large enough to name. One of `before` stays a little longer, so that words do not flicker.
std::vector<Departure> seen_departures(std::vector<Departure> now, const std::vector<Departure>& before);

/// The line and its tooltip; empty if nothing differs, or while the run trains and no seed that is shown has emerged.
struct TheoryLine {
    std::vector<std::string> sentences;  // they say the same in ever fewer words
    std::string details;
};
TheoryLine theory_line(const Snapshot& snapshot, const MatrixView& view, const std::vector<MatrixDepartures>& all);

/// The height of its slot, which stays while the line is empty.
float theory_line_height(const Ui& ui);
/// Draws it at the cursor. Logged as "theory line".
void draw_theory_line(const Ui& ui, const TheoryLine& line, float width);

class MatricesPanel {
  public:
    /// Brings the pictures to the moment shown; called before a frame is drawn.
    void begin_frame(const Session& session);
    /// Draws these matrices at the cursor, `size` pixels large, with toolbar, formula and theory's matrices.
    void draw(const Context& context, const std::vector<std::string>& names, ImVec2 size);
    /// Draws all matrices as tiles. False once one seed's matrices are to be shown instead.
    bool draw_tiles(const Context& context, ImVec2 size);
    /// Draws the learned matrices side by side, without controls.
    void draw_small(const Ui& ui, const std::vector<std::string>& names, ImVec2 size);
    /// Draws the tiles without controls. A click chooses a seed, whose matrices then replace them.
    void draw_small_tiles(const Ui& ui, const Session& session, ImVec2 size);
    void next_mode();
    /// Shows the matrices of each experiment as they were left: mode, seed, limits.
    void look_at(const std::string& experiment);
    /// Opens the menu of colours for this matrix, or for all.
    void open_look(const std::string& matrix = {}) {
        limits_for_ = matrix;
        opens_look_ = true;
    }
    /// A cell is selected, so its history is shown: over the matrices, unless the caller draws it elsewhere.
    bool wants_history() const { return selection_ && !look_.every_seed; }
    void draw_history_elsewhere(bool elsewhere) { history_elsewhere_ = elsewhere; }
    /// Draws the history at the cursor, with a button that closes it. Logged as "cell history".
    void draw_history(const Ui& ui, const Session& session, ImVec2 size);
    /// Deselects the cell. True if one was selected.
    bool deselect() { return std::exchange(selection_, std::nullopt).has_value(); }
    /// The moment with which this one can be compared; null for none. A comparison under way follows it.
    void set_pinned(std::shared_ptr<const Snapshot> pinned);
    /// Whether to show the matrices minus those of the pinned moment.
    void show_change(bool on) { look_.view.baseline = on ? pinned_ : nullptr; }

    /// The seed that is shown; -1 for a mean.
    int& seed_index() { return look_.view.seed_index; }
    /// Shows the mean. True if one seed was shown.
    bool show_all_seeds() { return std::exchange(look_.view.seed_index, -1) >= 0; }
    const MatrixView& view() const { return look_.view; }
    const MatrixLook& look() const { return look_; }
    const std::optional<MatrixSelection>& selection() const { return selection_; }
    /// The response of the picture under the pointer in the last frame.
    const std::optional<HeatmapResponse>& hovered() const { return hovered_; }
    /// The pictures as drawn and exported: each matrix and theory's, or every seed's.
    std::vector<HeatmapSpec> heatmaps() const;
    /// Writes what differs from the start: mode, seeds, tiles, limits.
    void write_view(ViewValues& view) const;
    /// Takes it back; what is missing or not possible is as at the start.
    void restore_view(const ViewValues& view);
    /// The history of the selected cell as drawn; null for none.
    const PlotSpec* history() const { return selection_ ? &history_ : nullptr; }

  private:
    enum class Which { learned, theory, other, theory_of_other };
    // The pictures of one matrix: as learned, of run B or of the run before, and of theory.
    struct Pair {
        std::string name;
        std::string title;  // the name in a heading
        HeatmapSpec learned;
        std::optional<HeatmapSpec> other;
        std::optional<HeatmapSpec> theory;
        std::optional<HeatmapSpec> theory_of_other;  // if it is another than A's
        bool shares_limit = false;                   // theory has the same limit of colours
        std::string help;
        std::array<HeatmapState, 4> states;   // by Which
        std::optional<CellPosition> pointed;  // in the last frame
        std::vector<Departure> departures;    // of what was learned from theory
    };
    // The matrices beside the learned ones: run B's, or those of the run before. Null for none.
    struct Beside {
        std::shared_ptr<const Snapshot> moment;
        bool before = false;
        bool operator==(const Beside&) const = default;
    };
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
    /// `taken`: the width at the right end that something else has.
    void draw_formulas(const Ui& ui, const Session& session, const std::vector<std::string>& names, float taken);
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
    void draw_pair(const Ui& ui, Pair& pair, ImVec2 size);  // `size`: of each of its pictures
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
    void respond(Pair& pair, Which which, const HeatmapResponse& response);
    void draw_look(const Ui& ui);
    void keep_selection(const Snapshot& snapshot);
    ColorLimits& limits_of(const std::string& matrix);

    // The look of another experiment's matrices.
    struct Left {
        MatrixView view;
        std::optional<MatrixView::Mode> wished_mode;
        std::map<std::string, ColorLimits> own_limits;
    };

    MatrixLook look_;
    std::string experiment_;
    std::map<std::string, Left> left_;
    std::optional<MatrixView::Mode> wished_mode_;  // if it does not apply to this model
    std::shared_ptr<const Snapshot> pinned_;
    std::map<std::string, ColorLimits> own_limits_;    // by matrix, while limits are not linked
    std::map<std::pair<int, int>, MatrixZoom> zooms_;  // by shape
    BuiltFrom<Source> built_;
    std::vector<Pair> pairs_;
    SeedTiles tiles_;
    bool tiles_on_stage_ = false;  // in the last frame
    MatrixArrangement arrangement_;
    std::vector<int> arranged_;  // how many pictures each matrix has in it
    bool presented_ = false;     // it was made for a presentation
    bool bar_below_ = false;     // the colour bars lie below the matrices
    bool theory_small_ = false;  // theory_place_ is used instead, with large learned matrices
    TheoryPlace theory_place_;
    // The state from which the history of the selected cell was built.
    struct HistorySource {
        MatrixSelection selection;
        MatrixView view;
        std::shared_ptr<const Snapshot> last_moment;
        bool operator==(const HistorySource&) const = default;
    };
    static constexpr double kHistoryShare = 0.1;  // the largest share of the window's time for building it
    PlotSpec history_;
    PlotState history_state_;
    BuiltFrom<HistorySource> history_built_{kHistoryShare};
    bool history_elsewhere_ = false;
    bool history_open_ = false;
    bool history_above_ = false;  // at the upper end of the matrices
    SurgeryMenu surgery_;
    std::optional<HeatmapResponse> hovered_;
    std::optional<BlockReference> pointed_block_;  // in the last frame
    std::vector<BlockReference> spoken_of_;        // the blocks of the formula's term under the pointer
    std::optional<MatrixSelection> selection_;
    std::optional<MatrixSelection> selection_before_click_;
    bool ignore_click_ = false;  // the second one of a double click
    std::string limits_for_;     // the matrix of the menu of colours; "" for all
    bool opens_look_ = false;
};

}  // namespace emergence
