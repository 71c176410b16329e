// Draws the cells of a figure file.

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/figure_file.h"
#include "core/lab/figures/claims.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// Replaces each word in braces by value_of(word), which throws for unknown words.
std::string filled(const std::string& text, const auto& value_of) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const size_t open = text.find('{', at), close = text.find('}', open);
        if (close == std::string::npos) return result + text.substr(at);
        result += text.substr(at, open - at) + value_of(text.substr(open + 1, close - open - 1));
        at = close + 1;
    }
    return result;
}

bool is_expression(const std::string& word) { return word.find_first_of(" (:") != std::string::npos; }

// The value of a word in braces in a caption or a page's title: a setting, or a result of the runs.
std::string caption_value(const std::string& word, const MadeFigure& made) {
    if (word == "notices") return listed(made.notices, std::identity(), " ");
    if (is_expression(word)) return filled_detail("{" + word + "}", {made.runs.begin(), made.runs.end()});
    const Snapshot& first = made.runs.front().snapshot;
    if (word == "emerged") return fraction_text(emerged_fraction(first));
    if (word == "step") return std::to_string(first.step);
    if (first.settings.has(word)) return to_text(first.settings.shown(word));
    std::vector<std::string> names = {"emerged", "step", "notices"};
    for (const FieldInfo& field : first.settings.fields()) names.push_back(field.name);
    throw InputError("caption: " + unknown_name("word", word, names, "'emergence-cli info' lists settings"));
}

// A cell of a figure, the run that it shows, and its place on the page.
struct PlacedCell {
    const CellText& cell;
    size_t run;
    int row, column;
};

// A cell without a row follows the last one, row by row.
std::vector<PlacedCell> placed_cells(const FigureFile& file, const std::vector<std::string>& runs) {
    const int columns = static_cast<int>(file.recipe.page.columns.size());
    std::vector<PlacedCell> placed;
    std::map<int, int> used;  // the columns that are used in each row so far
    const auto add = [&](const CellText& cell, size_t run) {
        if ((cell.of_all() && run > 0) || (!cell.run.empty() && cell.run != runs[run])) return;
        const int behind = static_cast<int>(placed.size()), row = cell.row >= 0 ? cell.row : behind / columns;
        const int column = cell.column >= 0 ? cell.column : cell.row >= 0 ? used[row] : behind % columns;
        used[row] = column + cell.columns;
        placed.push_back({cell, run, row, column});
    };
    if (file.by_run)
        for (size_t run = 0; run < runs.size(); ++run)
            for (const CellText& cell : file.cells) add(cell, run);
    else
        for (const CellText& cell : file.cells)
            for (size_t run = 0; run < runs.size(); ++run) add(cell, run);
    return placed;
}

PlotSpec metrics_plot(const CellText& cell, const FinishedRun& run) {
    HistoryPlot plot(cell.id.empty() ? cell.metrics.front() : cell.id, cell.title);
    for (size_t i = 0; i < cell.metrics.size(); ++i) {
        const std::string& metric = cell.metrics[i];
        plot.line(metric)
            .label(i < cell.labels.size() ? cell.labels[i] : "")
            .color(static_cast<int>(i))
            .dashed(contains(cell.dashed, metric));
    }
    plot.y(cell.y);
    return run.history.plot(plot, {run.snapshot.step_unit, "", Scale::linear, 0.0}, run.snapshot.step);
}

// A point for each run. If the quantity is nothing but a mean, a median or a share, the point has the values of the
// run's seeds; otherwise it has one number.
Series quantity_curve(const Quantity& quantity, const Quantity& over, const std::vector<const FinishedRun*>& runs) {
    const bool bare = quantity.kind == QuantityKind::reduction && quantity.operands.size() == 1 &&
                      quantity.of == Quantity::Of::all &&
                      (quantity.reduction == Reduction::mean || quantity.reduction == Reduction::median ||
                       quantity.reduction == Reduction::share);
    Series series;
    series.share = bare && quantity.reduction == Reduction::share;
    std::vector<std::pair<double, SeedRows>> places;  // runs with the same x share a point
    for (size_t i = 0; i < runs.size(); ++i) {
        const FinishedRun& run = *runs[i];
        const double x = number_of(over, {RunView(run)});
        // A network counts once at each x, even if two runs contain it.
        const auto is_counted = [&](uint64_t number) {
            return any_of(std::span(runs).first(i), [&](const FinishedRun* other) {
                return number_of(over, {RunView(*other)}) == x && same_networks(RunView(*other), RunView(run)) &&
                       any_of(other->snapshot.seeds, [&](const SeedStatus& seed) { return seed.seed == number; });
            });
        };
        const auto found = find_if(places, [x](const auto& at) { return at.first == x; });
        SeedRows& points = (found == places.end() ? places.emplace_back(x, SeedRows()) : *found).second;
        if (!bare) points.push_back({number_of(quantity, {RunView(run)})});
        if (bare)
            for (const SeedValue& one : values(RunView(run), quantity.operands.front())) {
                const bool holds = series.share && one.value != 0.0 && !std::isnan(one.value);
                if (is_counted(one.number)) continue;
                if (!one.failed || !std::isnan(one.value)) points.push_back({holds ? 1.0 : one.value});
            }
    }
    for (const auto& [x, points] : places) add_point(series, x, points);
    return series;
}

PlotSpec curves_plot(const CellText& cell, const std::vector<FinishedRun>& runs) {
    const Quantity over = parse_quantity(cell.over);
    for (const FinishedRun& run : runs) check_quantity(over, {RunView(run)});
    PlotSpec plot;
    plot.id = cell.over;
    plot.title = cell.title.empty() ? cell.curves.front() : cell.title;
    const auto scale = [&](const char* axis) { return contains(cell.log, axis) ? Scale::logarithmic : Scale::linear; };
    plot.x = {cell.x.empty() ? cell.over : cell.x, "", scale("x")};
    plot.y = {cell.y, "", scale("y")};
    for (size_t i = 0; i < cell.curves.size(); ++i) {
        const Quantity quantity = parse_quantity(cell.curves[i]);
        std::vector<const FinishedRun*> of;
        for (const FinishedRun& run : runs)
            if (i >= cell.runs.size() || run.label.starts_with(cell.runs[i])) of.push_back(&run);
        for (const FinishedRun* run : of) check_quantity(quantity, {RunView(*run)});
        plot.series.push_back(quantity_curve(quantity, over, of));
        plot.series[i].dashed = contains(cell.dashed, cell.curves[i]);
        plot.series[i].name = i < cell.labels.size() ? cell.labels[i] : cell.curves[i];
        plot.series[i].color = i < cell.colors.size() ? cell.colors[i] : static_cast<int>(i);
        if (quantity.reduction == Reduction::median) plot.spread = Spread::median;
    }
    if (cell.spread) plot.spread = *cell.spread;
    return plot;
}

// Beside the points of a scatter what was predicted of them, and their median.
void add_prediction(const std::array<double, 4>& ends, PlotSpec& plot) {
    std::vector<double> x, y;
    for (const Series& series : plot.series)
        for (size_t i = 0; series.points && i < series.seeds.size(); ++i) {
            if (series.details.knows_x(i)) x.push_back(series.x[i]);
            if (series.details.knows_y(i)) y.push_back(series.rows[0][i]);
        }
    const auto add = [&](const char* name, double at_x, double at_y, bool dashed) {
        constexpr int kColor = 6;  // a star
        Series mark{.name = name, .x = {at_x}, .rows = {{at_y}}, .color = kColor, .dashed = dashed, .points = true};
        mark.details.ring = {0};  // as large as a network's
        plot.series.push_back(std::move(mark));
    };
    add("median", summarise(x, true).median, summarise(y, true).median, false);
    add("predicted", (ends[0] + ends[1]) / 2, (ends[2] + ends[3]) / 2, true);
    plot.series.back().details.half_x = {(ends[1] - ends[0]) / 2};
    plot.series.back().details.half_y = {(ends[3] - ends[2]) / 2};
}

CellContent content_of(const CellText& cell, const FinishedRun& run) {
    if (cell.kind == CellText::Kind::matrix) return heatmap_of_run(run, cell.name, {cell.mode});
    PlotSpec plot = cell.kind == CellText::Kind::metrics ? metrics_plot(cell, run) : plot_of_run(run, cell.name, "");
    const auto begins = [](const Series& series, const std::vector<std::string>& names) {
        return any_of(names, [&](const std::string& name) { return series.name.starts_with(name); });
    };
    std::erase_if(plot.series, [&](const Series& series) {
        return (!cell.series.empty() && !begins(series, cell.series)) || begins(series, cell.without);
    });
    if (cell.kind == CellText::Kind::plot)
        for (size_t i = 0; i < smaller(cell.labels.size(), plot.series.size()); ++i)
            plot.series[i].name = cell.labels[i];
    if (cell.spread) plot.spread = *cell.spread;
    if (const auto at = cell.predicted.find(run.label); at != cell.predicted.end()) add_prediction(at->second, plot);
    return plot;
}

// The first run's plot with the curves of all runs, or of the runs that the cell names.
PlotSpec plot_of_all(const CellText& cell, const std::vector<FinishedRun>& runs) {
    PlotSpec all;
    int color = 0;
    for (const FinishedRun& run : runs) {
        const auto begins = [&](const std::string& label) { return run.label.starts_with(label); };
        if (!cell.runs.empty() && !any_of(cell.runs, begins)) continue;
        PlotSpec own = std::get<PlotSpec>(content_of(cell, run));
        for (Series& series : own.series) series.name = run.label, series.color = color;
        if (color++ == 0)
            all = std::move(own);
        else
            all.series.insert(all.series.end(), own.series.begin(), own.series.end());
    }
    return all;
}

// " 1 of 3 values lie outside of y from 0 to 1."; "" if none does, or if the cell sets no range.
std::string outside_text(const CellText& cell, const CellContent& content) {
    const auto* plot = std::get_if<PlotSpec>(&content);
    if (plot == nullptr || !cell.y_range) return "";
    const auto [low, high] = *cell.y_range;
    size_t outside = 0, all = 0;
    for (const Series& series : plot->series)
        for (const auto& row : series.rows)
            for (const double value : row) {
                all += std::isnan(value) ? 0 : 1;
                outside += value < low || value > high ? 1 : 0;
            }
    return outside == 0 ? "" : fmt::format(" {} of {} values lie outside of y from {} to {}.", outside, all, low, high);
}

void place_cell(const PlacedCell& one, const std::string& source, Draft& draft, std::string& outside) {
    const CellText& cell = one.cell;
    const size_t run = one.run;
    const FinishedRun& of = draft.run(run);
    const auto named = [&](const std::string& text, const std::string& own) {
        return filled(text, [&](const std::string& word) {
            if (is_expression(word)) return filled_detail("{" + word + "}", {RunView(of)});
            if (word == "cell") return std::to_string(draft.made.figure.cells.size());
            if (word == "experiment") return of.snapshot.experiment;
            if (word == "own") return own;
            return word == "run" ? of.label : word == "i" ? std::to_string(run) : "{" + word + "}";
        });
    };
    const bool several = draft.runs().size() > 1 && !cell.of_all();
    CellContent content;
    try {
        content = cell.kind == CellText::Kind::curves ? CellContent(curves_plot(cell, draft.runs()))
                  : cell.together                     ? CellContent(plot_of_all(cell, draft.runs()))
                                                      : content_of(cell, of);
    } catch (const InputError& error) {
        throw InputError(fault_text(source, {cell.line, error.what()}));
    }
    if (auto* plot = std::get_if<PlotSpec>(&content)) {
        if (cell.x_range) std::tie(plot->x.minimum, plot->x.maximum) = *cell.x_range;
        if (cell.y_range) std::tie(plot->y.minimum, plot->y.maximum) = *cell.y_range;
    }
    outside += outside_text(cell, content);
    std::visit(
        [&](auto& picture) {
            if (!cell.title.empty())
                picture.title = named(cell.title, picture.title);
            else if (several)
                picture.title = picture.title.empty() ? of.label : picture.title + ", " + of.label;
            if constexpr (requires { picture.id; }) {
                if (!cell.id.empty())
                    picture.id = named(cell.id, picture.id);
                else if (several)
                    picture.id += "_" + std::to_string(run);
            }
        },
        content);
    draft.made.figure.cells.push_back({std::move(content), one.row, one.column, cell.rows, cell.columns});
}

}  // namespace

std::optional<FileFault> misplaced_cell(const FigureFile& file, const std::vector<std::string>& runs) {
    const Page& page = file.recipe.page;
    std::map<std::pair<int, int>, uint32_t> taken;  // the line of the cell that has the place
    for (const auto& [cell, run, first_row, first_column] : placed_cells(file, runs)) {
        const int last_row = first_row + cell.rows - 1, last_column = first_column + cell.columns - 1;
        if (last_row >= static_cast<int>(page.rows.size()) || last_column >= static_cast<int>(page.columns.size()))
            return FileFault{
                cell.line,
                fmt::format("cells: row {}, column {} is outside of the page, which has {} and {}", last_row,
                            last_column, counted(page.rows.size(), "row"), counted(page.columns.size(), "column"))};
        for (int row = first_row; row <= last_row; ++row)
            for (int column = first_column; column <= last_column; ++column)
                if (const auto [there, free] = taken.emplace(std::pair(row, column), cell.line); !free)
                    return FileFault{
                        cell.line,
                        fmt::format("cells: row {}, column {} has the cell of line {} already{}. Move one of them", row,
                                    column, there->second, there->second == cell.line ? ", of another run" : "")};
    }
    return std::nullopt;
}

std::function<void(Draft&)> drawing_of(const FigureFile& file) {
    return [file](Draft& draft) {
        const std::vector<std::string> labels = mapped(draft.runs(), &FinishedRun::label);
        if (const auto wrong = misplaced_cell(file, labels)) throw InputError(fault_text(file.source, *wrong));
        std::string outside;
        for (const PlacedCell& one : placed_cells(file, labels)) place_cell(one, file.source, draft, outside);
        try {
            for (std::string* text : {&draft.caption, &draft.page.title})
                *text = filled(*text, [&](const std::string& word) { return caption_value(word, draft.made); });
        } catch (const InputError& error) {
            throw InputError(fault_text(file.source, {file.caption_line, error.what()}));
        }
        draft.caption += outside;
    };
}

}  // namespace emergence
