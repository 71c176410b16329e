// heatmap_of: one picture of a matrix over seeds, with a sentence that says how its numbers were treated.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/snapshot.h"
#include "core/lab/views/run_views.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

struct Chosen {
    std::vector<size_t> seeds;
    /// "mean of 8 networks (1 failed network left out)"; the reason without any.
    std::string note;
};

std::string seed_name(const SeedStatus& status, const std::string& word) {
    return fmt::format("{} {}{}", word, status.seed, status.failed ? " (failed: its last good state)" : "");
}

Chosen choose_one(const Snapshot& snapshot, int seed_index) {
    const auto index = static_cast<size_t>(seed_index);
    if (index >= snapshot.seeds.size())
        return {{},
                fmt::format("there is no {} number {} among {}", counted_as(snapshot.seed_word), seed_index + 1,
                            snapshot.seeds.size())};
    return {{index}, seed_name(snapshot.seeds[index], snapshot.seed_word)};
}

Chosen choose_seeds(const Snapshot& snapshot, const MatrixView& view) {
    if (view.seed_index >= 0) return choose_one(snapshot, view.seed_index);
    const size_t total = snapshot.seeds.size();
    const std::string word = counted_as(snapshot.seed_word);
    const auto failed = static_cast<size_t>(count_networks(snapshot).failed);
    const bool none_left = all_failed(snapshot);
    Chosen chosen;
    chosen.seeds = filtered(all_places(total), [&](size_t i) {
        const SeedStatus& status = snapshot.seeds[i];
        return (none_left || !status.failed) && (!view.emerged_only || status.emerged);
    });
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

double frobenius_norm(const Table& table) {
    double squares = 0.0;
    for (const double value : table.values) squares += value * value;
    return std::sqrt(squares);
}

// The norm of the mean before scaling, and that of the same seeds' mean at step 0.
void add_norm_strip(HeatmapSpec& heatmap, const NamedMatrix& matrix, const std::vector<size_t>& seeds) {
    const Table& products = matrix.initial_products;
    const double norm = frobenius_norm(heatmap.raw);
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

void show_theory(HeatmapSpec& heatmap, const NamedMatrix& matrix) {
    heatmap.id += " theory";
    heatmap.title += ", theory";
    heatmap.values = *matrix.target;
    heatmap.note = said_name(matrix) + ": " + target_name(matrix);
    if (!matrix.may_scale) heatmap.limit = largest_entry(heatmap.values);
}

void subtract_theory(HeatmapSpec& heatmap, const NamedMatrix& matrix) {
    const Table& target = *matrix.target;
    check(same_size(heatmap.values, target), "a matrix and its target have the same size");
    for (size_t i = 0; i < target.values.size(); ++i) heatmap.values.values[i] -= target.values[i];
    heatmap.title += " minus theory";
    heatmap.unit += ", minus theory";
    heatmap.note += ", minus " + target_name(matrix);
    if (!matrix.may_scale) heatmap.limit = largest_entry(heatmap.values);
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
    const bool scaled = view.mode != MatrixView::Mode::raw && then->may_scale && largest > 0.0;
    if (scaled)
        for (double& value : values.values) value /= largest;
    for (size_t i = 0; i < values.values.size(); ++i) heatmap.values.values[i] -= values.values[i];
    const std::string moment = fmt::format("{} {}", view.baseline->step, snapshot.step_unit);
    heatmap.title += " minus that at " + moment;
    heatmap.unit += ", minus that at " + moment;
    const bool of_another_run = view.baseline->run_number != snapshot.run_number;
    heatmap.note += fmt::format(", minus {} at {}{}", of_another_run ? "the saved run's" : "that", moment,
                                scaled ? fmt::format(", divided by its own {:.3g}", largest) : "");
    if (!seeds.paired)
        heatmap.note += fmt::format("; no seed in common, so minus the mean of its {}",
                                    counted(seeds.there.size(), counted_as(snapshot.seed_word)));
    if (view.mode == MatrixView::Mode::raw || !matrix.may_scale) heatmap.limit = largest_entry(heatmap.values);
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
    if (view.baseline)
        subtract_baseline(heatmap, snapshot, matrix, view, pairing);
    else if (view.mode == MatrixView::Mode::difference)
        subtract_theory(heatmap, matrix);
    else
        return;
    heatmap.norm.reset();  // it is of the learned matrix, not of a difference
    heatmap.norm_reference = 0.0;
}

void take_magnitudes(HeatmapSpec& heatmap) {
    for (double& value : heatmap.values.values) value = std::abs(value);
    heatmap.magnitudes = true;
    heatmap.unit += heatmap.unit.empty() ? "magnitude" : ", magnitude";
    heatmap.note += ", magnitudes";
}

}  // namespace

bool all_failed(const Snapshot& snapshot) {
    return all_of(snapshot.seeds, [](const SeedStatus& seed) { return seed.failed; });
}

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
        show_theory(heatmap, matrix);
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
    if (matrix.nonnegative && !subtracts)
        heatmap.magnitudes = true;
    else if (view.magnitudes)
        take_magnitudes(heatmap);
    apply_limits(heatmap, view.limits);
    return heatmap;
}

const NamedMatrix* find_matrix(const Snapshot& snapshot, const std::string& name) {
    return find_named(snapshot.matrices, name);
}

}  // namespace emergence
