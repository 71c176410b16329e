#pragma once
// Figures as files: assets/figures/*.toml, and files that people write. assets/handbook/lab/figure-files.md has all keys.
//
//     experiment = "td"
//     caption = "d = {d}."
//
//     [start]                       # see FigureRecipe
//     seeds = 10
//
//     [page]
//     columns = [1, 1.8]            # relative widths, and heights; without rows as many as the cells need
//     cell = [4.6, 3.4]             # inches
//
//     [[runs]]                      # without any, one run
//     label = "L = 1"
//     settings = {num_layers = 1}   # or folder = "out/td", of a run that was saved
//
//     [[cells]]                     # in reading order, one for each run unless it names one
//     plot = "similarity"           # or matrix, metrics, or curves over the runs
//     id = "similarity_{i}"         # in the file of numbers; i counts runs from 0, {cell} cells; or {experiment}_{own}

#include <array>
#include <map>

#include "core/experiments/figure_recipe.h"
#include "core/files/text.h"

namespace emergence {

/// The most runs and cells of a file, cells counted for each run.
inline constexpr size_t kMostFigureRuns = 64, kMostFigureCells = 256;

struct CellText {
    enum class Kind { plot, matrix, metrics, curves };
    Kind kind = Kind::plot;
    /// The name of the plot or of the matrix.
    std::string name;
    MatrixView::Mode mode = MatrixView::Mode::scaled;
    std::vector<std::string> metrics, labels, dashed, series, without;
    /// The curves are quantities, drawn over a quantity of each run.
    std::vector<std::string> curves, log, runs;
    std::string over, x;
    std::optional<std::pair<double, double>> x_range = {}, y_range = {};
    /// Of a scatter: lower and upper end of x and of y, by the runs' labels.
    std::map<std::string, std::array<double, 4>> predicted;
    std::vector<int> colors;
    std::optional<Spread> spread = {};
    std::string y, run, title, id;
    int row = -1, column = -1, rows = 1, columns = 1;
    uint32_t line = 0;
    bool together = false;
    /// Whether one cell shows all runs.
    bool of_all() const { return together || kind == Kind::curves; }
};

struct FigureFile {
    /// For messages.
    std::string source;
    std::string experiment, preset;
    SettingsFile settings;
    /// Draws the cells.
    FigureRecipe recipe;
    /// The saved runs, one for each of the recipe's; empty if they are trained.
    std::vector<std::string> folders;
    std::vector<CellText> cells;
    bool by_run = false;
    uint32_t caption_line = 0;
};

/// The first cell that covers another or lies outside of the page, for runs with these labels; nullopt if none does.
std::optional<FileFault> misplaced_cell(const FigureFile& file, const std::vector<std::string>& runs);

/// Draws the file's cells for each run, cell by cell or run by run, and fills in the caption. The drawing throws
/// InputError, with file and line, if the runs lack a plot, matrix, metric or quantity that a cell names, or what the
/// caption names.
std::function<void(Draft&)> drawing_of(const FigureFile& file);

/// Whether a text is a figure file: TOML with cells or runs.
bool is_figure_file(std::string_view text);
/// Reads a figure file, and adds every fault to `faults`. `source` ends with the file's name. `given_runs`: the number
/// of saved runs that the figure draws instead of its own; 0 if none. needs_cells: whether the file itself must have
/// cells, because no code adds any.
FigureFile parse_figure(std::string_view text, const std::string& source, std::vector<FileFault>& faults,
                        size_t given_runs = 0, bool needs_cells = true);
/// The same from a file. Throws InputError with all faults.
FigureFile read_figure_file(const std::filesystem::path& path, size_t given_runs = 0);

/// A figure that ships. `code` has what is not data: measures, plan, of_any_run, and `draw`, which runs after the file's
/// cells are drawn and may add further ones.
FigureInfo shipped_figure(const std::string& name, FigureRecipe code = {});

/// The files in assets/figures that have a page.
struct ShippedFigure {
    std::string_view name, text;
};
std::span<const ShippedFigure> shipped_figures();

}  // namespace emergence
