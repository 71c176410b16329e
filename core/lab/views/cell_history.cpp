
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

// The cell in each of these seeds, aligned and scaled as the picture is.
std::vector<double> aligned_cells(const NamedMatrix& matrix, const std::vector<size_t>& seeds,
                                  const MatrixSelection& cell, bool scaled) {
    const double largest = scaled ? largest_entry(aligned_mean(matrix, seeds)) : 0.0;
    return mapped(seeds, [&](size_t seed) {
        return sign_of(matrix, seed) * matrix.seeds[seed](cell.row, cell.column) / (largest > 0.0 ? largest : 1.0);
    });
}

// The seeds of the last moment's picture.
std::vector<size_t> shown_seeds(const Snapshot& last, const MatrixView& view) {
    if (view.seed_index >= 0) return {static_cast<size_t>(view.seed_index)};
    return filtered(all_places(last.seeds.size()),
                    [&](size_t i) { return !view.emerged_only || last.seeds[i].emerged; });
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

// The cell at one moment as the view shows it; nullopt if there is nothing to show. If something is subtracted, only
// the seeds that have a counterpart stay in `seeds`.
std::optional<std::vector<double>> viewed_cells(const Snapshot& moment, const NamedMatrix& matrix,
                                                std::vector<size_t>& seeds, const MatrixSelection& cell,
                                                const MatrixView& view) {
    const bool scaled = view.mode != MatrixView::Mode::raw && matrix.may_scale;
    std::vector<double> subtracted;
    if (view.baseline) {
        const SeedPairing pairing = pair_seeds(moment, seeds, *view.baseline);
        const NamedMatrix* then = find_matrix(*view.baseline, matrix.name);
        if (then == nullptr || then->seeds.empty() || pairing.there.empty() ||
            !same_size(then->seeds.front(), matrix.seeds.front()))
            return std::nullopt;
        seeds = pairing.here;
        subtracted = aligned_cells(*then, pairing.there, cell, scaled);
        if (!pairing.paired) subtracted.assign(seeds.size(), mean_of(subtracted));
    } else if (view.mode == MatrixView::Mode::difference) {
        if (!matrix.target) return std::nullopt;
        subtracted.assign(seeds.size(), (*matrix.target)(cell.row, cell.column));
    }
    std::vector<double> cells = aligned_cells(matrix, seeds, cell, scaled);
    for (size_t k = 0; k < subtracted.size(); ++k) cells[k] -= subtracted[k];
    // Turned together, so that their mean is the magnitude of the picture's cell, which the mean of magnitudes is not.
    if (view.magnitudes && mean_of(cells) < 0.0)
        for (double& value : cells) value = -value;
    return cells;
}

void add_reference(PlotSpec& plot, const NamedMatrix& matrix, const MatrixSelection& cell, const MatrixView& view) {
    if (!matrix.target || !matrix.may_scale || view.baseline || view.mode == MatrixView::Mode::raw) return;
    const double theory = (*matrix.target)(cell.row, cell.column);
    const bool differs = view.mode == MatrixView::Mode::difference;
    plot.lines.push_back({"theory", differs ? 0.0 : view.magnitudes ? std::abs(theory) : theory, false});
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

PlotSpec history_of(const std::vector<std::shared_ptr<const Snapshot>>& moments, const MatrixSelection& cell,
                    const MatrixView& view) {
    PlotSpec plot;
    plot.id = "history";
    const NamedMatrix* latest = moments.empty() ? nullptr : find_matrix(*moments.back(), cell.matrix);
    if (latest == nullptr || latest->seeds.empty()) return plot;
    const Snapshot& last = *moments.back();
    const Table& size = latest->seeds.front();
    check(cell.row < size.rows && cell.column < size.columns, "a selection lies in its matrix");
    const std::vector<size_t> shown = shown_seeds(last, view);
    Series& series = plot.series.emplace_back();
    series.name = "entry";
    series.rows.resize(shown.size());
    for (const auto& moment : moments) {
        const NamedMatrix* matrix = find_matrix(*moment, cell.matrix);
        if (matrix == nullptr || matrix->seeds.size() != last.seeds.size() || !same_size(matrix->seeds.front(), size))
            continue;
        std::vector<size_t> seeds = averaged_seeds(*moment, shown, view);
        if (seeds.empty()) continue;
        const auto x = static_cast<double>(reached_at(*moment, seeds));
        if (!series.x.empty() && x <= series.x.back()) continue;
        const auto cells = viewed_cells(*moment, *matrix, seeds, cell, view);
        if (!cells) continue;
        series.x.push_back(x);
        for (auto& row : series.rows) row.push_back(kMissing);
        for (size_t k = 0; k < seeds.size(); ++k)
            series.rows[std::find(shown.begin(), shown.end(), seeds[k]) - shown.begin()].back() = (*cells)[k];
    }
    add_reference(plot, *latest, cell, view);
    plot.id = "history " + cell.matrix;
    plot.title = fmt::format("{}, row {}, column {}", cell.matrix, cell.row + 1, cell.column + 1);
    plot.x.label = last.step_unit;
    say_treatment(plot, last, *latest, view, shown.size());
    plot.note += fmt::format("; {} moments of the run", series.x.size());
    return plot;
}

}  // namespace emergence
