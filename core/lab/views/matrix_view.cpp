// One picture of a matrix over seeds, and a plot of one cell, with words for how their numbers were treated.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/snapshot.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// The factor of a seed in pictures: 1 or -1.
double sign_of(const NamedMatrix& matrix, size_t seed) { return matrix.signs.empty() ? 1.0 : matrix.signs[seed]; }

// The mean of these seeds, each multiplied by its sign.
Table aligned_mean(const NamedMatrix& matrix, const std::vector<size_t>& seeds) {
    Table mean(matrix.seeds[seeds.front()].rows, matrix.seeds[seeds.front()].columns);
    for (const size_t seed : seeds) {
        const Table& of_seed = matrix.seeds[seed];
        check(of_seed.values.size() == mean.values.size(), "a matrix has the same size in every seed");
        for (size_t i = 0; i < mean.values.size(); ++i) mean.values[i] += sign_of(matrix, seed) * of_seed.values[i];
    }
    for (double& value : mean.values) value /= static_cast<double>(seeds.size());
    return mean;
}

bool is_scaled(const NamedMatrix& matrix, const MatrixView& view) {
    return view.mode != MatrixView::Mode::raw && matrix.may_scale;
}

// The seeds that the view shows.
std::vector<size_t> shown_seeds(const Snapshot& snapshot, const MatrixView& view) {
    if (view.seed_index >= 0) return {static_cast<size_t>(view.seed_index)};
    return filtered(all_places(snapshot.seeds.size()),
                    [&](size_t i) { return !view.emerged_only || snapshot.seeds[i].emerged; });
}

// The seeds of `shown` that this moment's picture averages. Failed seeds count only if there are no others.
std::vector<size_t> averaged_seeds(const Snapshot& moment, std::vector<size_t> shown, const MatrixView& view) {
    if (view.seed_index < 0 && !all_failed(moment))
        std::erase_if(shown, [&](size_t seed) { return moment.seeds[seed].failed; });
    return shown;
}

struct Chosen {
    std::vector<size_t> seeds;
    /// "mean of 8 networks (1 failed network left out)"; the reason without any.
    std::string note;
};

std::string seed_name(const SeedStatus& status, const std::string& word) {
    return fmt::format("{} {}{}", word, status.seed, status.failed ? " (failed: its last good state)" : "");
}

Chosen choose_seeds(const Snapshot& snapshot, const MatrixView& view) {
    const size_t total = snapshot.seeds.size();
    const std::string word = counted_as(snapshot.seed_word);
    if (view.seed_index >= static_cast<int>(total))
        return {{}, fmt::format("there is no {} number {} among {}", word, view.seed_index + 1, total)};
    if (view.seed_index >= 0)
        return {shown_seeds(snapshot, view), seed_name(snapshot.seeds[view.seed_index], snapshot.seed_word)};
    const auto failed = count_if(snapshot.seeds, [](const SeedStatus& status) { return status.failed; });
    const bool none_left = all_failed(snapshot);
    Chosen chosen{averaged_seeds(snapshot, shown_seeds(snapshot, view), view), ""};
    if (view.emerged_only) {
        chosen.note = chosen.seeds.empty()
                          ? fmt::format("none of {} has emerged yet", counted(total, word))
                          : fmt::format("mean of the {} of {} that emerged", chosen.seeds.size(), counted(total, word));
    } else if (chosen.seeds.empty()) {
        chosen.note = fmt::format("there are no {}s", word);
    } else {
        chosen.note = chosen.seeds.size() == 1 ? seed_name(snapshot.seeds[chosen.seeds.front()], snapshot.seed_word)
                                               : "mean of " + counted(chosen.seeds.size(), word);
    }
    if (none_left && chosen.seeds.size() > 1)
        chosen.note += ", all of which failed: their last good states";
    else if (!none_left && failed > 0)
        chosen.note += fmt::format(" ({} left out)", counted(failed, "failed " + word));
    return chosen;
}

// The Frobenius norm of the mean before scaling, and that of the same seeds' mean at step 0.
void add_norm_strip(HeatmapSpec& heatmap, const NamedMatrix& matrix, const std::vector<size_t>& seeds) {
    const Table& products = matrix.initial_products;
    const std::vector<double>& raw = heatmap.raw.values;
    const double norm = std::sqrt(std::inner_product(raw.begin(), raw.end(), raw.begin(), 0.0));
    if (products.values.empty() || !std::isfinite(norm)) return;
    double square = 0.0;
    for (const size_t i : seeds)
        for (const size_t j : seeds) square += products(static_cast<int>(i), static_cast<int>(j));
    heatmap.norm = norm;
    heatmap.norm_reference = std::sqrt(std::max(0.0, square)) / static_cast<double>(seeds.size());
}

// Divides by the largest entry if the model allows it, and says so in `note`. Returns the automatic limit of the
// colours.
double scale(Table& values, const NamedMatrix& matrix, std::string& note) {
    const double largest = largest_entry(values);
    if (!matrix.may_scale) {
        if (matrix.unit.empty()) note += ", not scaled";
        return largest > 0.0 ? largest : 1.0;
    }
    if (largest == 0.0) {
        note += ", not scaled: every entry is 0";
        return 1.0;
    }
    for (double& value : values.values) value /= largest;
    note += fmt::format(", scaled: divided by its largest entry {:.3g}", largest);
    return 1.0;
}

std::string target_name(const NamedMatrix& matrix) {
    return matrix.target_name.empty() ? "theory" : matrix.target_name;
}

// The name for readers: the title, if the name joins several words for files and settings.
const std::string& said_name(const NamedMatrix& matrix) {
    return matrix.title.empty() || matrix.name.find('_') == std::string::npos ? matrix.name : matrix.title;
}

// "P0: signs flipped so that P's corner is positive, mean of 8 networks"
std::string opening(const NamedMatrix& matrix, const std::string& chosen) {
    std::string alignment = matrix.alignment_note;
    if (alignment.empty() && !matrix.signs.empty()) alignment = "signs flipped to agree";
    return said_name(matrix) + ": " + (alignment.empty() ? "" : alignment + ", ") + chosen;
}

void subtract(HeatmapSpec& heatmap, const Table& table, const std::string& what, bool scaled) {
    check(same_size(heatmap.values, table), "a matrix and what is subtracted have the same size");
    for (size_t i = 0; i < table.values.size(); ++i) heatmap.values.values[i] -= table.values[i];
    heatmap.title += " minus " + what;
    heatmap.unit += ", minus " + what;
    if (!scaled) heatmap.limit = largest_entry(heatmap.values);
}

// Restricts the chosen seeds to those of the pinned moment, and says so in their note.
SeedPairing pair_with(const Snapshot& snapshot, Chosen& chosen, const Snapshot& baseline) {
    SeedPairing pairing = pair_seeds(snapshot, chosen.seeds, baseline);
    if (pairing.here.size() == chosen.seeds.size()) return pairing;
    chosen.note = pairing.here.size() == 1 ? seed_name(snapshot.seeds[pairing.here.front()], snapshot.seed_word) +
                                                 ", the only one that both have"
                                           : fmt::format("mean of the {} of {} that both have", pairing.here.size(),
                                                         counted(chosen.seeds.size(), counted_as(snapshot.seed_word)));
    return pairing;
}

void subtract_baseline(HeatmapSpec& heatmap, const Snapshot& snapshot, const NamedMatrix& matrix,
                       const MatrixView& view, const SeedPairing& seeds) {
    const NamedMatrix* then = find_matrix(*view.baseline, matrix.name);
    const bool has_matrix = then != nullptr && !then->seeds.empty();
    const Table size = has_matrix ? then->seeds.front() : Table();
    if (!same_size(size, heatmap.values) || seeds.there.empty()) {
        heatmap.note =
            said_name(matrix) + ": the pinned moment" +
            (!has_matrix                        ? " has no such matrix"
             : !same_size(size, heatmap.values) ? fmt::format("'s is {} x {}, this one {} x {}", size.rows,
                                                              size.columns, heatmap.values.rows, heatmap.values.columns)
                                                : " has no networks");
        heatmap.values = heatmap.raw = {};
        heatmap.norm.reset();
        return;
    }
    Table values = aligned_mean(*then, seeds.there);
    const double largest = largest_entry(values);
    const bool scaled = is_scaled(*then, view) && largest > 0.0;
    if (scaled)
        for (double& value : values.values) value /= largest;
    const std::string moment = fmt::format("{} {}", view.baseline->step, snapshot.step_unit);
    subtract(heatmap, values, "that at " + moment, is_scaled(matrix, view));
    const bool of_another_run = view.baseline->run_number != snapshot.run_number;
    heatmap.note += fmt::format(", minus {} at {}{}", of_another_run ? "the saved run's" : "that", moment,
                                scaled ? fmt::format(", divided by its own {:.3g}", largest) : "");
    if (!seeds.paired)
        heatmap.note += fmt::format("; no seed in common, so minus the mean of its {}",
                                    counted(seeds.there.size(), counted_as(snapshot.seed_word)));
}

// Fills in the mean of the chosen seeds, scaled or not, minus theory's matrix or an earlier moment's.
void show_learned(HeatmapSpec& heatmap, const Snapshot& snapshot, const NamedMatrix& matrix, const MatrixView& view,
                  const SeedPairing& pairing) {
    const std::vector<size_t>& seeds = pairing.here;
    heatmap.raw = aligned_mean(matrix, seeds);
    heatmap.largest = largest_entry(heatmap.raw);
    heatmap.values = heatmap.raw;
    add_norm_strip(heatmap, matrix, seeds);
    if (view.mode == MatrixView::Mode::raw) {
        heatmap.unit = matrix.unit.empty() ? "raw" : matrix.unit;
        heatmap.limit = heatmap.largest;
        heatmap.note += fmt::format(", raw: largest entry {:.3g}", heatmap.limit);
    } else {
        heatmap.unit = matrix.may_scale && heatmap.largest > 0.0 ? "scaled" : matrix.unit.empty() ? "raw" : matrix.unit;
        heatmap.limit = scale(heatmap.values, matrix, heatmap.note);
    }
    if (view.baseline) {
        subtract_baseline(heatmap, snapshot, matrix, view, pairing);
    } else if (view.mode == MatrixView::Mode::difference) {
        subtract(heatmap, *matrix.target, "theory", matrix.may_scale);
        heatmap.note += ", minus " + target_name(matrix);
    } else {
        return;
    }
    heatmap.norm.reset();  // it is of the learned matrix, not of a difference
    heatmap.norm_reference = 0.0;
}

}  // namespace

bool all_failed(const Snapshot& snapshot) {
    return all_of(snapshot.seeds, [](const SeedStatus& seed) { return seed.failed; });
}

HeatmapSpec heatmap_of(const Snapshot& snapshot, const NamedMatrix& matrix, const MatrixView& view) {
    using Mode = MatrixView::Mode;
    check(matrix.seeds.size() == snapshot.seeds.size(), "a matrix has a table for every seed");
    check(matrix.signs.empty() || matrix.signs.size() == matrix.seeds.size(), "signs: none, or one a seed");
    HeatmapSpec heatmap;
    static_cast<MatrixFrame&>(heatmap) = matrix;
    heatmap.id = matrix.name;
    heatmap.title = matrix.title.empty() ? matrix.name : matrix.title;

    const bool needs_target = view.mode == Mode::theory || (view.mode == Mode::difference && !view.baseline);
    if (needs_target && !matrix.target) {
        heatmap.note = said_name(matrix) + ": theory names no matrix to compare with";
        return heatmap;
    }
    if (view.mode == Mode::theory) {
        heatmap.id += " theory";
        heatmap.title += ", theory";
        heatmap.values = *matrix.target;
        heatmap.note = said_name(matrix) + ": " + target_name(matrix);
        if (!matrix.may_scale) heatmap.limit = largest_entry(heatmap.values);
    } else {
        Chosen chosen = choose_seeds(snapshot, view);
        if (chosen.seeds.empty()) {
            heatmap.note = said_name(matrix) + ": " + chosen.note;
            return heatmap;
        }
        SeedPairing seeds{chosen.seeds, {}};
        if (view.baseline) seeds = pair_with(snapshot, chosen, *view.baseline);
        if (view.seed_index >= 0) heatmap.title += fmt::format(", seed {}", snapshot.seeds[chosen.seeds.front()].seed);
        heatmap.note = opening(matrix, chosen.note);
        show_learned(heatmap, snapshot, matrix, view, seeds);
        if (heatmap.values.values.empty()) return heatmap;
    }
    const bool subtracts = view.baseline || view.mode == Mode::difference;
    const bool nonnegative = matrix.nonnegative && !subtracts;
    heatmap.magnitudes = nonnegative || view.magnitudes;
    if (view.magnitudes && !nonnegative) {
        for (double& value : heatmap.values.values) value = std::abs(value);
        heatmap.unit += heatmap.unit.empty() ? "magnitude" : ", magnitude";
        heatmap.note += ", magnitudes";
    }
    apply_limits(heatmap, view.limits);
    return heatmap;
}

const NamedMatrix* find_matrix(const Snapshot& snapshot, const std::string& name) {
    return find_named(snapshot.matrices, name);
}

namespace {

// The cell in each of these seeds, aligned and scaled as the picture is.
std::vector<double> aligned_cells(const NamedMatrix& matrix, const std::vector<size_t>& seeds,
                                  const MatrixSelection& cell, bool scaled) {
    const double largest = scaled ? largest_entry(aligned_mean(matrix, seeds)) : 0.0;
    return mapped(seeds, [&](size_t seed) {
        return sign_of(matrix, seed) * matrix.seeds[seed](cell.row, cell.column) / (largest > 0.0 ? largest : 1.0);
    });
}

// The step of a moment's picture: of the last of the failed seeds, if only their last good states are left.
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
    const bool scaled = is_scaled(matrix, view);
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
    if (!matrix.target || !is_scaled(matrix, view) || view.baseline) return;
    const double theory = (*matrix.target)(cell.row, cell.column);
    const bool differs = view.mode == MatrixView::Mode::difference;
    plot.lines.push_back({"theory", differs ? 0.0 : view.magnitudes ? std::abs(theory) : theory, false});
}

// Says in the axis' label and in the help what was done to the numbers.
void say_treatment(PlotSpec& plot, const Snapshot& last, const NamedMatrix& matrix, const MatrixView& view,
                   size_t count) {
    const bool scaled = is_scaled(matrix, view);
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
