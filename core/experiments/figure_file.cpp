#include "core/experiments/figure_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/figures/claims.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

const std::vector<std::string> kPageKeys = {"title", "columns", "rows", "size", "cell"};
const std::vector<std::string> kRunKeys = {"label", "settings", "folder"};
const std::vector<std::string> kCellKeys = {"plot",    "matrix",  "metrics", "curves", "over",     "mode",     "run",
                                            "title",   "id",      "row",     "column", "rows",     "columns",  "series",
                                            "without", "spread",  "labels",  "dashed", "x",        "y",        "log",
                                            "x_range", "y_range", "colors",  "runs",   "together", "predicted"};

class FigureReader : private TomlReader {
  public:
    FigureReader(FigureFile& file, std::vector<FileFault>& faults, size_t given_runs, bool needs_cells)
        : TomlReader(faults), file_(file), given_runs_(given_runs), needs_cells_(needs_cells) {}

    void read(const toml::table& root) {
        check_keys(root, figure_file_keys(), "a figure file");
        FigureRecipe& recipe = file_.recipe;
        text(root, "experiment", file_.experiment);
        text(root, "preset", file_.preset);
        if (text(root, "figure", recipe.name) && !is_plain_name(recipe.name))
            fault(line_of(*root.get("figure")), "figure: a name of letters, digits, - and _ is needed");
        if (is_taken_name(recipe.name))
            fault(root.contains("figure") ? line_of(*root.get("figure")) : 0,
                  fmt::format("figure: '{}' is reserved for another file or a device. Choose another, e.g. figure = "
                              "\"my-{}\"",
                              recipe.name, recipe.name));
        if (!text(root, "title", recipe.title)) recipe.title = recipe.name;
        text(root, "after", recipe.after);
        if (text(root, "caption", recipe.caption)) file_.caption_line = line_of(*root.get("caption"));
        text(root, "curves", recipe.curves);
        flag(root, "by_run", file_.by_run);
        if (const toml::table* start = table_of(root, "start")) recipe.start = changes(*start);
        if (const toml::table* settings = table_of(root, "settings")) file_.settings.entries = changes(*settings);
        for (const toml::table* run : tables(root, "runs", kMostFigureRuns)) read_run(*run);
        if (!file_.folders.empty() && file_.folders.size() != recipe.runs.size())
            fault(line_of(*root.get("runs")),
                  "runs: some have a folder, some do not. Give a folder to all of them or to none");
        for (const toml::table* one : tables(root, "cells", kMostFigureCells)) read_cell(*one);
        if (!root.contains("cells") && needs_cells_) fault(0, "cells: are missing. Begin each with [[cells]]");
        const size_t runs = given_runs_ > 0 ? given_runs_ : larger<size_t>(1, recipe.runs.size());
        if (file_.cells.size() * runs > kMostFigureCells)
            fault(0, fmt::format("cells: more than {} over all runs", kMostFigureCells));
        if (recipe.runs.empty()) recipe.runs = {{}};
        const toml::table* page = table_of(root, "page");
        read_page(page != nullptr ? *page : toml::table(), runs);
        // The labels of saved runs are not known here, so drawing_of() checks their places.
        if (given_runs_ > 0) return;
        if (const auto wrong = misplaced_cell(file_, labels())) fault(wrong->line, wrong->reason);
    }

  private:
    std::vector<std::string> labels() const { return mapped(file_.recipe.runs, &RecipeRun::label); }
    // Some systems treat names that differ only in capitals as one file, and some read a name only up to its first
    // point.
    static bool is_taken_name(const std::string& name) {
        const std::string plain = small_letters(name.substr(0, name.find('.')));
        constexpr std::string_view kTaken =
            " checkpoint checkpoint-before claims columns config initial-weights metrics moments provenance seeds "
            "training-time weights aux con nul prn ";
        const bool device = plain.size() == 4 && (plain.starts_with("com") || plain.starts_with("lpt")) &&
                            plain[3] >= '0' && plain[3] <= '9';
        return device || kTaken.find(' ' + plain + ' ') != std::string_view::npos;
    }
    static bool is_plain_name(const std::string& name) {
        constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
        return !name.empty() && name.size() <= 64 && name.find_first_not_of(kPlain) == std::string::npos;
    }
    const toml::table* table_of(const toml::table& table, const char* key) {
        const toml::node* node = table.get(key);
        if (node != nullptr && !node->is_table())
            fault(line_of(*node), fmt::format("{}: a table is needed, e.g. [{}]", key, key));
        return node == nullptr ? nullptr : node->as_table();
    }
    std::vector<const toml::table*> tables(const toml::table& root, const char* key, size_t most) {
        const toml::node* node = root.get(key);
        std::vector<const toml::table*> found;
        if (node == nullptr) return found;
        if (const toml::array* list = node->as_array())
            for (const toml::node& one : *list)
                if (one.is_table()) found.push_back(one.as_table());
        if (found.empty() || node->as_array()->size() != found.size())
            fault(line_of(*node), fmt::format("{}: tables are needed, e.g. [[{}]]", key, key));
        if (found.size() <= most) return found;
        fault(line_of(*node), fmt::format("{}: has {}, more than {}", key, found.size(), most));
        return {};
    }
    std::vector<Change> changes(const toml::table& table) {
        std::map<std::pair<uint32_t, uint32_t>, Change> placed;  // in the file's order
        for (const auto& [key, node] : table) {
            const toml::source_position& at = key.source().begin;
            const std::string name(key.str());
            if (const auto value = scalar_in(node))
                placed.emplace(std::pair(at.line, at.column), Change{name, *value, line_of(node), 1});
            else
                fault(line_of(node), name + ": a number, a text, true or false is needed");
        }
        std::vector<Change> list;
        for (auto& [place, change] : placed) list.push_back(std::move(change));
        return list;
    }
    void read_run(const toml::table& table) {
        check_keys(table, kRunKeys, "a run of a figure");
        RecipeRun run;
        std::string folder;
        text(table, "label", run.label);
        if (const toml::table* settings = table_of(table, "settings")) run.changes = changes(*settings);
        if (text(table, "folder", folder)) {
            if (!run.changes.empty())
                fault(line_of(*table.get("folder")), "folder: a saved run already has its settings");
            if (run.label.empty()) run.label = std::filesystem::path(folder).filename().string();
            file_.folders.push_back(folder);
        }
        for (const RecipeRun& other : file_.recipe.runs)
            if (other.label == run.label)
                fault(line_of(table), fmt::format("runs: two have the label '{}'. Change one", run.label));
        file_.recipe.runs.push_back(std::move(run));
    }
    int whole(const toml::table& table, const char* key, int otherwise, int least) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return otherwise;
        const auto value = node->value_exact<int64_t>();
        constexpr int64_t kMost = 63;
        if (value && *value >= least && *value <= kMost) return static_cast<int>(*value);
        fault(line_of(*node), fmt::format("{}: a whole number from {} to {} is needed", key, least, kMost));
        return otherwise;
    }
    void read_cell(const toml::table& table) {
        check_keys(table, kCellKeys, "a cell");
        CellText cell;
        cell.line = line_of(table);
        constexpr const char* kKinds[] = {"plot", "matrix", "metrics", "curves"};
        if (count_if(kKinds, [&](const char* kind) { return table.contains(kind); }) != 1)
            fault(cell.line, "cells: each needs one of plot, matrix, metrics and curves");
        text(table, "plot", cell.name);
        if (text(table, "matrix", cell.name)) cell.kind = CellText::Kind::matrix;
        cell.metrics = some_texts(table, "metrics");
        if (table.contains("metrics")) cell.kind = CellText::Kind::metrics;
        for (const auto& [key, into] : {std::pair{"labels", &cell.labels},
                                        {"dashed", &cell.dashed},
                                        {"series", &cell.series},
                                        {"without", &cell.without},
                                        {"runs", &cell.runs}})
            *into = texts(table, key);
        if (table.contains("curves")) read_curves(table, cell);
        flag(table, "together", cell.together);
        for (const char* key : {"over", "x", "log", "colors", "runs"})
            if (table.contains(key) && !table.contains("curves") && !(cell.together && key == std::string("runs")))
                fault(line_of(*table.get(key)), fmt::format("{}: only a cell with curves can have it", key));
        for (const auto& [key, into] : {std::pair{"y", &cell.y}, {"title", &cell.title}, {"id", &cell.id}})
            text(table, key, *into);
        for (const char* key : {"x_range", "y_range", "predicted"})
            if (table.contains(key) && cell.kind == CellText::Kind::matrix)
                fault(line_of(*table.get(key)), fmt::format("{}: a matrix has no axes", key));
        if (table.contains("x_range")) cell.x_range = ends(table, "x_range", {0.0, 1.0});
        if (table.contains("y_range")) cell.y_range = ends(table, "y_range", {0.0, 1.0});
        read_mode(table, cell);
        const bool named = text(table, "run", cell.run);
        if (named && !contains(labels(), cell.run))
            fault(line_of(*table.get("run")), unknown_name("run", cell.run, labels()));
        if (const toml::table* predicted = table_of(table, "predicted")) read_predicted(*predicted, cell);
        cell.row = whole(table, "row", -1, 0);
        cell.column = whole(table, "column", -1, 0);
        cell.rows = whole(table, "rows", 1, 1);
        cell.columns = whole(table, "columns", 1, 1);
        if (cell.row < 0 && cell.column >= 0) fault(cell.line, "column: needs a row");
        file_.cells.push_back(std::move(cell));
    }
    void read_predicted(const toml::table& table, CellText& cell) {
        for (const auto& [key, node] : table) {
            const std::string run(key.str());
            if (!contains(labels(), run)) fault(line_of(node), "predicted: " + unknown_name("run", run, labels()));
            std::vector<double> ends;
            if (const toml::array* list = node.as_array())
                for (const toml::node& one : *list) ends.push_back(one.value<double>().value_or(kMissing));
            if (ends.size() == 4 && ends[0] < ends[1] && ends[2] < ends[3])
                std::copy(ends.begin(), ends.end(), cell.predicted[run].begin());
            else
                fault(line_of(node), "predicted: two ranges are needed, of x and of y, e.g. [0.6, 0.8, -0.2, 0]");
        }
    }
    void read_curves(const toml::table& table, CellText& cell) {
        cell.kind = CellText::Kind::curves;
        cell.curves = some_texts(table, "curves");
        cell.log = texts(table, "log");
        for (const std::string& axis : cell.log)
            if (axis != "x" && axis != "y") fault(line_of(*table.get("log")), unknown_name("axis", axis, {"x", "y"}));
        text(table, "x", cell.x);
        if (!text(table, "over", cell.over))
            fault(cell.line, "over: is missing. Name the runs' x, e.g. over = \"field num_layers\"");
        if (table.contains("colors")) read_colors(*table.get("colors"), cell);
        for (const std::string& one : cell.curves) check_quantity_text(table, "curves", one);
        if (!cell.over.empty()) check_quantity_text(table, "over", cell.over);
    }
    void read_colors(const toml::node& node, CellText& cell) {
        constexpr int64_t kMost = 1000;
        if (const toml::array* numbers = node.as_array())
            for (const toml::node& one : *numbers)
                if (const auto color = one.value_exact<int64_t>(); color && *color >= 0 && *color < kMost)
                    cell.colors.push_back(static_cast<int>(*color));
        if (!node.is_array() || node.as_array()->size() != cell.colors.size())
            fault(line_of(node), "colors: a list of whole numbers from 0 is needed, e.g. [0, 2]");
    }
    void check_quantity_text(const toml::table& table, const char* key, const std::string& quantity) {
        try {
            check_value(quantity);
        } catch (const InputError& error) {
            fault(line_of(*table.get(key)), fmt::format("{}: {}", key, error.what()));
        }
    }
    // Reads one of these words, and stores its value.
    template <class Value>
    void choice(const toml::table& table, const char* key, const std::vector<std::pair<std::string, Value>>& words,
                Value& into) {
        std::string asked;
        if (!text(table, key, asked)) return;
        std::vector<std::string> names;
        for (const auto& [name, value] : words) {
            if (name == asked) into = value;
            names.push_back(name);
        }
        if (!contains(names, asked)) fault(line_of(*table.get(key)), unknown_name(key, asked, names));
    }
    void read_mode(const toml::table& table, CellText& cell) {
        using Mode = MatrixView::Mode;
        choice<Mode>(table, "mode", {{"scaled", Mode::scaled}, {"raw", Mode::raw}, {"theory", Mode::theory}},
                     cell.mode);
        choice<std::optional<Spread>>(table, "spread",
                                      {{"standard error", Spread::standard_error},
                                       {"deviation", Spread::deviation},
                                       {"median", Spread::median},
                                       {"every seed", Spread::every_seed}},
                                      cell.spread);
    }
    // A list of positive numbers; empty if the key is missing.
    std::vector<double> sizes(const toml::table& table, const char* key, size_t most) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        std::vector<double> found;
        if (const toml::array* list = node->as_array())
            for (const toml::node& one : *list)
                if (const auto size = one.value<double>(); size && *size > 0.0 && *size <= 200.0)
                    found.push_back(*size);
        if (found.empty() || found.size() != node->as_array()->size() || found.size() > most) {
            fault(line_of(*node), fmt::format("{}: needs at most {} numbers above 0 and up to 200", key, most));
            found.clear();
        }
        return found;
    }
    void read_page(const toml::table& table, size_t runs) {
        check_keys(table, kPageKeys, "a page");
        Page& page = file_.recipe.page;
        page.title = file_.recipe.title;
        text(table, "title", page.title);
        page.columns = sizes(table, "columns", 64);
        page.rows = sizes(table, "rows", 64);
        size_t cells = 0, placed_rows = 0;
        for (const CellText& cell : file_.cells) {
            cells += cell.run.empty() && !cell.of_all() ? runs : 1;
            placed_rows = larger(placed_rows, static_cast<size_t>(cell.row + cell.rows));
        }
        if (page.columns.empty())
            page.columns.assign(placed_rows > 0 ? runs : smaller<size_t>(3, larger<size_t>(1, cells)), 1.0);
        if (page.rows.empty())
            page.rows.assign(larger({size_t{1}, placed_rows, (cells + page.columns.size() - 1) / page.columns.size()}),
                             1.0);
        const std::vector<double> size = sizes(table, "size", 2), cell = sizes(table, "cell", 2);
        constexpr double kTitle = 0.4, kMostInches = 200.0;
        const Size each = cell.size() == 2 ? Size{cell[0], cell[1]} : Size{4.0, 3.4};
        const double across = each.width * static_cast<double>(page.columns.size());
        const double down = each.height * static_cast<double>(page.rows.size()) + kTitle;
        page.width = size.size() == 2 ? size[0] : smaller(kMostInches, across);
        page.height = size.size() == 2 ? size[1] : smaller(kMostInches, down);
    }

    FigureFile& file_;
    size_t given_runs_;
    bool needs_cells_;
};

[[noreturn]] void throw_faults(const std::string& source, const std::vector<FileFault>& faults) {
    std::string all;
    for (const FileFault& fault : faults) all += (all.empty() ? "" : "\n") + fault_text(source, fault);
    throw InputError(all);
}

}  // namespace

bool is_figure_file(std::string_view text) {
    for (const std::string_view table : {"[[cells]]", "[[runs]]"})
        for (size_t at = text.find(table); at != std::string_view::npos; at = text.find(table, at + 1))
            if (at == 0 || text[at - 1] == '\n') return true;
    return false;
}

FigureFile parse_figure(std::string_view text, const std::string& source, std::vector<FileFault>& faults,
                        size_t given_runs, bool needs_cells) {
    FigureFile file;
    file.source = file.settings.source = source;
    file.recipe.name = file_stem(std::filesystem::path(source).stem().string());
    const auto table = parse_toml(text, source, faults);
    if (!table) return file;
    FigureReader(file, faults, given_runs, needs_cells).read(*table);
    file.recipe.draw = drawing_of(file);
    std::stable_sort(faults.begin(), faults.end(),
                     [](const FileFault& a, const FileFault& b) { return a.line < b.line; });
    return file;
}

FigureFile read_figure_file(const std::filesystem::path& path, size_t given_runs) {
    std::vector<FileFault> faults;
    FigureFile file = parse_figure(read_text(path), path.string(), faults, given_runs);
    if (!faults.empty()) throw_faults(path.string(), faults);
    return file;
}

FigureInfo shipped_figure(const std::string& name, FigureRecipe code) {
    const auto shipped = shipped_figures();
    const auto found = find_if(shipped, [&](const ShippedFigure& figure) { return figure.name == name; });
    check(found != shipped.end(), "a figure that ships has a file with a page");
    std::vector<FileFault> faults;
    FigureRecipe recipe = parse_figure(found->text, name + ".toml", faults, 0, !code.draw).recipe;
    if (!faults.empty()) throw_faults(name + ".toml", faults);
    recipe.measures = std::move(code.measures);
    if (code.plan) recipe.runs.clear();
    recipe.plan = std::move(code.plan);
    recipe.of_any_run = code.of_any_run;
    if (code.draw)
        recipe.draw = [cells = std::move(recipe.draw), behind = std::move(code.draw)](Draft& draft) {
            cells(draft);
            behind(draft);
        };
    return figure_of(std::move(recipe));
}

}  // namespace emergence
