#include "core/runtime/cell_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"

namespace emergence {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// What is read off one table: a cell's entry, or a block's trace and mean |entry|.
struct Region {
    BlockRange rows, columns;
    MatrixSelection selection;

    bool has_trace() const { return selection.block && rows.size == columns.size; }

    double entry_or_trace(const Table& table) const {
        if (!selection.block) return table(selection.row, selection.column);
        double trace = 0.0;
        for (int i = 0; i < rows.size; ++i) trace += table(rows.first + i, columns.first + i);
        return trace;
    }
    double mean_magnitude(const Table& table) const {
        double sum = 0.0;
        for (int i = 0; i < rows.size; ++i)
            for (int j = 0; j < columns.size; ++j) sum += std::abs(table(rows.first + i, columns.first + j));
        return sum / (static_cast<double>(rows.size) * columns.size);
    }
};

bool shows(const Snapshot& last, const MatrixView& view, size_t seed) {
    if (view.seed_index >= 0) return static_cast<size_t>(view.seed_index) == seed;
    return !view.emerged_only || last.seeds[seed].emerged;
}

void add_references(PlotSpec& plot, const NamedMatrix& matrix, const Region& region) {
    if (!matrix.target) return;
    if (!region.selection.block || region.has_trace())
        plot.lines.push_back({region.selection.block ? "theory's trace" : "theory",
                              region.entry_or_trace(*matrix.target), false});
    if (region.selection.block)
        plot.lines.push_back({"theory's mean", region.mean_magnitude(*matrix.target), false});
}

}  // namespace

BlockRange block_range(const std::vector<Block>& blocks, int index) {
    BlockRange range;
    for (const Block& block : blocks) {
        range.size = block.size;
        if (index < range.first + block.size) return range;
        range.first += block.size;
        ++range.block;
    }
    check(false, "an index lies in one of the blocks");
    return range;
}

std::string selection_name(const NamedMatrix& matrix, const MatrixSelection& selection) {
    if (!selection.block)
        return fmt::format("{}[{}, {}]", matrix.name, selection.row + 1, selection.column + 1);
    const auto label = [](const std::vector<Block>& blocks, int index) {
        return blocks[static_cast<size_t>(block_range(blocks, index).block)].label;
    };
    return fmt::format("{}, {} by {}", matrix.name, label(matrix.row_blocks, selection.row),
                       label(matrix.column_blocks, selection.column));
}

PlotSpec history_of(const std::vector<std::shared_ptr<const Snapshot>>& moments,
                    const MatrixSelection& selection, const MatrixView& view) {
    PlotSpec plot;
    plot.id = "history";
    const NamedMatrix* latest = moments.empty() ? nullptr : find_matrix(*moments.back(), selection.matrix);
    if (latest == nullptr || latest->seeds.empty()) return plot;
    const Snapshot& last = *moments.back();
    const Table& size = latest->seeds.front();
    check(selection.row < size.rows && selection.column < size.columns, "a selection lies in its matrix");
    const Region region{block_range(latest->row_blocks, selection.row),
                        block_range(latest->column_blocks, selection.column), selection};
    const bool scaled = view.mode != MatrixView::Mode::raw && latest->may_scale;

    std::vector<Series> series(2);
    series[0].name = !selection.block ? "entry" : "trace";
    series[0].color = 0;
    series[1].name = "mean |entry|";
    series[1].color = 1;
    std::vector<size_t> shown;
    for (size_t i = 0; i < last.seeds.size(); ++i)
        if (shows(last, view, i)) shown.push_back(i);
    for (Series& one : series) one.rows.resize(shown.size());
    for (const auto& moment : moments) {
        const NamedMatrix* matrix = find_matrix(*moment, selection.matrix);
        if (matrix == nullptr || matrix->seeds.size() != last.seeds.size() ||
            matrix->seeds.front().rows != size.rows || matrix->seeds.front().columns != size.columns)
            continue;
        for (Series& one : series) one.x.push_back(static_cast<double>(moment->step));
        for (size_t k = 0; k < shown.size(); ++k) {
            const Table& table = matrix->seeds[shown[k]];
            const double largest = scaled ? largest_entry(table) : 1.0;
            const bool missing = largest == 0.0 || (moment->seeds[shown[k]].failed &&
                                                    moment->seeds[shown[k]].step < moment->step);
            const double sign = matrix->signs.empty() ? 1.0 : matrix->signs[shown[k]];
            series[0].rows[k].push_back(missing ? kMissing : sign * region.entry_or_trace(table) / largest);
            series[1].rows[k].push_back(missing ? kMissing : region.mean_magnitude(table) / largest);
        }
    }
    if (!selection.block || region.has_trace()) plot.series.push_back(std::move(series[0]));
    if (selection.block) plot.series.push_back(std::move(series[1]));
    if (scaled) add_references(plot, *latest, region);
    plot.id = "history " + selection.matrix;
    plot.title = selection_name(*latest, selection);
    plot.x = {last.step_unit, "", Scale::linear, std::nullopt, std::nullopt, std::nullopt};
    plot.y.label = scaled ? "scaled" : "raw";
    plot.note = (latest->alignment_note.empty() ? std::string("as trained") : latest->alignment_note) +
                (scaled ? ", every seed divided by its own largest entry" : ", not scaled") +
                fmt::format("; {} moments of the run", plot.series.front().x.size());
    return plot;
}

}  // namespace emergence
