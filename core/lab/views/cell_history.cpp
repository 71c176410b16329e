
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

// The selected cells of a matrix: one, or a block's, row by row.
struct Region {
    BlockRange rows, columns;

    bool has_trace() const { return rows.size == columns.size; }

    std::vector<double> cells(const Table& table) const {
        std::vector<double> all;
        for (int i = 0; i < rows.size; ++i)
            for (int j = 0; j < columns.size; ++j) all.push_back(table(rows.first + i, columns.first + j));
        return all;
    }
    // A cell is a block of one, whose trace is its entry.
    double trace(const std::vector<double>& cells) const {
        double sum = 0.0;
        for (int i = 0; i < rows.size; ++i) sum += cells[static_cast<size_t>(i) * columns.size + i];
        return sum;
    }
};

using CellsOfSeeds = std::vector<std::vector<double>>;  // one row a seed

CellsOfSeeds aligned_cells(const NamedMatrix& matrix, const std::vector<size_t>& seeds, const Region& region,
                           bool scaled) {
    const double largest = scaled ? largest_entry(aligned_mean(matrix, seeds)) : 0.0;  // as the picture is
    CellsOfSeeds all;
    for (const size_t seed : seeds) {
        all.push_back(region.cells(matrix.seeds[seed]));
        for (double& value : all.back()) value = sign_of(matrix, seed) * value / (largest > 0.0 ? largest : 1.0);
    }
    return all;
}

std::vector<double> mean_over_seeds(const CellsOfSeeds& cells) {
    std::vector<double> sum(cells.front().size());
    for (const auto& of_seed : cells)
        std::transform(sum.begin(), sum.end(), of_seed.begin(), sum.begin(), std::plus<>());
    for (double& value : sum) value /= static_cast<double>(cells.size());
    return sum;
}

// The cells, turned where their mean is below zero. Then the mean over seeds is the magnitude of the picture's cell,
// which the mean of every seed's magnitude is not.
CellsOfSeeds turned(CellsOfSeeds cells) {
    const std::vector<double> means = mean_over_seeds(cells);
    for (auto& of_seed : cells)
        for (size_t i = 0; i < means.size(); ++i)
            if (means[i] < 0.0) of_seed[i] = -of_seed[i];
    return cells;
}

// The seeds of the last moment's picture.
std::vector<size_t> shown_seeds(const Snapshot& last, const MatrixView& view) {
    if (view.seed_index >= 0) return {static_cast<size_t>(view.seed_index)};
    std::vector<size_t> shown;
    for (size_t i = 0; i < last.seeds.size(); ++i)
        if (!view.emerged_only || last.seeds[i].emerged) shown.push_back(i);
    return shown;
}

// The seeds of `shown` that this moment's picture averages. Failed seeds count only if there are no others.
std::vector<size_t> averaged_seeds(const Snapshot& moment, const std::vector<size_t>& shown, const MatrixView& view) {
    std::vector<size_t> averaged = shown;
    if (view.seed_index < 0 && !all_failed(moment))
        std::erase_if(averaged, [&](size_t seed) { return moment.seeds[seed].failed; });
    return averaged;
}

// The step of a moment's picture. If only last good states of failed seeds are left, it is the step of the last of
// them.
int64_t reached_at(const Snapshot& moment, const std::vector<size_t>& seeds) {
    int64_t step = 0;
    for (const size_t seed : seeds) {
        if (!moment.seeds[seed].failed) return moment.step;
        step = std::max(step, moment.seeds[seed].step);
    }
    return std::min(step, moment.step);
}

// The cells of one moment as the view shows them; nullopt if there is nothing to show. If something is subtracted, only
// the seeds that have a counterpart stay in `seeds`.
std::optional<CellsOfSeeds> viewed_cells(const Snapshot& moment, const NamedMatrix& matrix, std::vector<size_t>& seeds,
                                         const Region& region, const MatrixView& view) {
    const bool scaled = view.mode != MatrixView::Mode::raw && matrix.may_scale;
    CellsOfSeeds subtracted;
    if (view.baseline) {
        const SeedPairing pairing = pair_seeds(moment, seeds, *view.baseline);
        const NamedMatrix* then = find_matrix(*view.baseline, matrix.name);
        if (then == nullptr || then->seeds.empty() || pairing.there.empty() ||
            !same_size(then->seeds.front(), matrix.seeds.front()))
            return std::nullopt;
        seeds = pairing.here;
        subtracted = aligned_cells(*then, pairing.there, region, scaled);
        if (!pairing.paired) subtracted = CellsOfSeeds(seeds.size(), mean_over_seeds(subtracted));
    } else if (view.mode == MatrixView::Mode::difference) {
        if (!matrix.target) return std::nullopt;
        subtracted = CellsOfSeeds(seeds.size(), region.cells(*matrix.target));
    }
    CellsOfSeeds cells = aligned_cells(matrix, seeds, region, scaled);
    for (size_t k = 0; k < subtracted.size(); ++k)
        for (size_t i = 0; i < cells[k].size(); ++i) cells[k][i] -= subtracted[k][i];
    return view.magnitudes ? turned(std::move(cells)) : cells;
}

void add_moment(std::vector<Series>& series, const Region& region, const std::vector<size_t>& shown,
                const std::vector<size_t>& seeds, const CellsOfSeeds& cells, double x) {
    for (Series& one : series) {
        one.x.push_back(x);
        for (auto& row : one.rows) row.push_back(kMissing);
    }
    const auto row_of = [&](size_t seed) {
        return static_cast<size_t>(std::find(shown.begin(), shown.end(), seed) - shown.begin());
    };
    if (region.has_trace())
        for (size_t k = 0; k < seeds.size(); ++k) series[0].rows[row_of(seeds[k])].back() = region.trace(cells[k]);
    const CellsOfSeeds sizes = turned(cells);
    for (size_t k = 0; k < seeds.size(); ++k) series[1].rows[row_of(seeds[k])].back() = mean_of(sizes[k]);
}

void add_references(PlotSpec& plot, const NamedMatrix& matrix, const Region& region, bool block,
                    const MatrixView& view) {
    if (!matrix.target || !matrix.may_scale || view.baseline || view.mode == MatrixView::Mode::raw) return;
    if (view.mode == MatrixView::Mode::difference) {
        plot.lines.push_back({"theory", 0.0, false});
        return;
    }
    const std::vector<double> target = region.cells(*matrix.target), sizes = turned({target}).front();
    if (!block || region.has_trace())
        plot.lines.push_back(
            {block ? "theory's trace" : "theory", region.trace(view.magnitudes ? sizes : target), false});
    if (block) plot.lines.push_back({"theory's mean", mean_of(sizes), false});
}

// Says in the axis' label and in the help what was done to the numbers.
void say_treatment(PlotSpec& plot, const Snapshot& last, const NamedMatrix& matrix, const MatrixView& view,
                   size_t count) {
    const bool scaled = view.mode != MatrixView::Mode::raw && matrix.may_scale;
    plot.y.label = scaled ? "scaled" : "raw";
    plot.note = matrix.alignment_note.empty() ? std::string("as trained") : matrix.alignment_note;
    if (!scaled)
        plot.note += ", not scaled";
    else if (count > 1)
        plot.note += ", as in the picture: each moment is divided by the largest entry of its mean";
    else
        plot.note += ", divided by the matrix's largest entry at each moment";
    if (view.baseline) {
        const std::string then = fmt::format("{} {}", view.baseline->step, last.step_unit);
        plot.y.label += ", minus that at " + then;
        plot.note += ", minus the same at " + then;
    } else if (view.mode == MatrixView::Mode::difference) {
        plot.y.label += ", minus theory";
        plot.note += ", minus theory's";
    }
    if (view.magnitudes) {
        plot.y.label += ", magnitude";
        plot.note += ", magnitude of the mean (networks follow its sign)";
    }
}

}  // namespace

std::string selection_name(const NamedMatrix& matrix, const MatrixSelection& selection) {
    if (!selection.block)
        return fmt::format("{}, row {}, column {}", matrix.name, selection.row + 1, selection.column + 1);
    const auto label = [](const std::vector<Block>& blocks, int index) {
        return blocks[static_cast<size_t>(block_range(blocks, index).value().block)].label;
    };
    return fmt::format("{}, {} by {}", matrix.name, label(matrix.row_blocks, selection.row),
                       label(matrix.column_blocks, selection.column));
}

PlotSpec history_of(const std::vector<std::shared_ptr<const Snapshot>>& moments, const MatrixSelection& selection,
                    const MatrixView& view) {
    PlotSpec plot;
    plot.id = "history";
    const NamedMatrix* latest = moments.empty() ? nullptr : find_matrix(*moments.back(), selection.matrix);
    if (latest == nullptr || latest->seeds.empty()) return plot;
    const Snapshot& last = *moments.back();
    const Table& size = latest->seeds.front();
    check(selection.row < size.rows && selection.column < size.columns, "a selection lies in its matrix");
    const Region region = selection.block ? Region{block_range(latest->row_blocks, selection.row).value(),
                                                   block_range(latest->column_blocks, selection.column).value()}
                                          : Region{{0, selection.row, 1}, {0, selection.column, 1}};
    const std::vector<size_t> shown = shown_seeds(last, view);

    std::vector<Series> series(2);
    series[0].name = selection.block ? "trace" : "entry";
    series[1].name = "mean |entry|";
    series[1].color = 1;
    for (Series& one : series) one.rows.resize(shown.size());
    for (const auto& moment : moments) {
        const NamedMatrix* matrix = find_matrix(*moment, selection.matrix);
        if (matrix == nullptr || matrix->seeds.size() != last.seeds.size() || !same_size(matrix->seeds.front(), size))
            continue;
        std::vector<size_t> seeds = averaged_seeds(*moment, shown, view);
        if (seeds.empty()) continue;
        const auto x = static_cast<double>(reached_at(*moment, seeds));
        if (!series[0].x.empty() && x <= series[0].x.back()) continue;
        if (auto cells = viewed_cells(*moment, *matrix, seeds, region, view))
            add_moment(series, region, shown, seeds, *cells, x);
    }
    if (!selection.block || region.has_trace()) plot.series.push_back(std::move(series[0]));
    if (selection.block) plot.series.push_back(std::move(series[1]));
    add_references(plot, *latest, region, selection.block, view);
    plot.id = "history " + selection.matrix;
    plot.title = selection_name(*latest, selection);
    plot.x.label = last.step_unit;
    say_treatment(plot, last, *latest, view, shown.size());
    plot.note += fmt::format("; {} moments of the run", plot.series.front().x.size());
    return plot;
}

}  // namespace emergence
