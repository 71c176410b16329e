#pragma once
// Counts what a run's networks compute and says it in words. Every place that shows such a count calls this.

#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/ranges.h"
#include "core/lab/snapshot.h"
#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/matrix_cells.h"
#include "core/pictures/plot.h"
#include "core/settings/toml.h"

namespace emergence {

/// Networks by what they compute, and by the rule of emergence.
struct NetworkCounts {
    int failed = 0;
    /// The networks with a verdict, and those of them that compute the algorithm of their loss.
    int judged = 0, own = 0;
    int emerged = 0;  // the networks that have emerged by the rule
    /// The other verdicts' labels, the most frequent first.
    std::vector<std::pair<std::string, int>> others;
};
NetworkCounts count_networks(const Snapshot& snapshot);

/// Whether the headline counts verdicts, instead of networks that have emerged by the experiment's rule.
bool counts_verdicts(const Snapshot& snapshot);
/// Whether the headline counts a network, and the logged step from which on it does; -1 if that is not known.
bool is_counted(const SeedStatus& seed);
int64_t counted_since(const SeedStatus& seed);
/// From when on the headline counts networks, in ever fewer words: "first after 410, half of the networks after 830
/// MRPs"; empty while it counts none.
std::vector<std::string> times_of(const Snapshot& snapshot);

/// "P's corner is 0.22, not above 0.33"
std::string words_of(const Lack& lack);

/// The count in ever fewer words: "networks compute TD; 1 no named algorithm". number: "7 of 8"; "" if nothing is
/// counted.
struct CountWords {
    std::string number;
    std::vector<std::string> what;
};
CountWords count_words(const Snapshot& snapshot);
/// The result in one line, "7 of 8 networks compute TD; 1 no named algorithm"; "" if there is nothing to say.
std::string result_words(const Snapshot& snapshot);
/// What one network computes and what its weights look like, each on a line.
std::string network_words(const Snapshot& snapshot, const SeedStatus& seed);
/// The state of one network in one or two words: "TD", "emerged", "stopped".
std::string state_words(const Snapshot& snapshot, const SeedStatus& seed);

// Plots of the training history.

using MetricLineBuilder = LineBuilder<MetricPlot::Line>;

class HistoryPlot : public PlotBuilder<HistoryPlot, MetricPlot> {
  public:
    HistoryPlot(std::string id, std::string title) : PlotBuilder(std::move(id), std::move(title)) {}

    MetricLineBuilder line(std::string metric) {
        spec_.metrics.push_back({.metric = std::move(metric), .label = ""});
        return MetricLineBuilder(spec_.metrics.back());
    }
};

// The pictures of a run by their ids, and where a Staging puts each of them.

inline constexpr const char* kAllMatrices = "matrices";  // stands for all matrices that are not named elsewhere
inline constexpr const char* kSeedTiles = "seeds";       // the matrices of every seed, as tiles

/// The ids of a run's pictures, in the order of the snapshot.
struct PictureIds {
    std::vector<std::string> matrices;  // NamedMatrix::name
    std::vector<std::string> plots;     // PlotSpec::id, those of the history first
    std::vector<std::string> scenes;    // Scene::id
    std::vector<std::string> leading;   // plots that the user asked for (PlotSpec::leads)
    bool tiles = false;                 // the seeds can stand as tiles

    bool has(const std::string& id) const;
    bool has_matrix(const std::string& id) const;
    bool operator==(const PictureIds&) const = default;
};
/// `history`: Study::metric_plots().
PictureIds picture_ids(const std::vector<MetricPlot>& history, const Snapshot& snapshot);

/// Every picture stands in one place.
struct PicturePlaces {
    std::vector<std::string> stage, wings, more;
    bool operator==(const PicturePlaces&) const = default;
};

/// Skips ids that the run lacks; of two places the first counts. A plot that the user asked for comes first in the
/// wings, unless it has a place. An empty stage gets the matrices, or else the drawn world, or else the first plot. If
/// the staging names no wings, all other pictures stand in them.
PicturePlaces place_pictures(const Staging& staging, const PictureIds& ids);

// Builds a NamedMatrix in words that read like the picture:
//
//     ShownMatrix kernel("M", "Kernel M", "The weight that a state gives to each source.");
//     kernel.square(states).as_is("rows: states, columns: sources").unit("weight").nonnegative();
//     for (const Chain* chain : chains) kernel.seed(table_of(chain->kernel()));

/// See NamedMatrix::initial_products; the tables of all seeds at step 0.
inline Table products_of(const std::vector<Table>& initial) {
    const int seeds = static_cast<int>(initial.size());
    Table products(seeds, seeds);
    for (int i = 0; i < seeds; ++i)
        for (int j = 0; j <= i; ++j) {
            const std::vector<double>&a = initial[i].values, &b = initial[j].values;
            products(i, j) = products(j, i) = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        }
    return products;
}

/// Whether every seed has failed, so only last good states are left.
bool all_failed(const Snapshot& snapshot);

class ShownMatrix {
  public:
    ShownMatrix(std::string name, std::string title, std::string help) {
        spec_.name = std::move(name);
        spec_.title = std::move(title);
        spec_.help = std::move(help);
    }

    ShownMatrix& rows(std::vector<Block> blocks) { return spec_.row_blocks = std::move(blocks), *this; }
    ShownMatrix& columns(std::vector<Block> blocks) { return spec_.column_blocks = std::move(blocks), *this; }
    ShownMatrix& square(const std::vector<Block>& blocks) { return rows(blocks).columns(blocks); }
    /// Numbered rows and columns instead of named blocks: "arm", "round".
    ShownMatrix& words(std::string row, std::string column) {
        spec_.row_word = std::move(row);
        return spec_.column_word = std::move(column), *this;
    }

    ShownMatrix& seed(Table values) { return spec_.seeds.push_back(std::move(values)), *this; }
    ShownMatrix& everywhere(const Table& values, size_t seeds) { return spec_.seeds.assign(seeds, values), *this; }
    /// Weights in the next seed, now and at step 0, aligned.
    ShownMatrix& seed(Table weights, Table initial) {
        initial_.push_back(std::move(initial));
        return seed(std::move(weights));
    }

    /// Shows the raw values, because rescaling would change their meaning. `note`: the reason, or their source.
    ShownMatrix& as_is(std::string note = "") {
        spec_.may_scale = false;
        return note_alignment(std::move(note));
    }
    ShownMatrix& note_alignment(std::string note) { return spec_.alignment_note = std::move(note), *this; }
    /// Theory's matrix, largest entry 1.
    ShownMatrix& target(Table values, std::string name) {
        spec_.target = std::move(values);
        return spec_.target_name = std::move(name), *this;
    }
    ShownMatrix& meanings(std::vector<BlockMeaning> meanings) { return spec_.meanings = std::move(meanings), *this; }
    ShownMatrix& unit(std::string unit) { return spec_.unit = std::move(unit), *this; }
    ShownMatrix& nonnegative(bool on = true) { return spec_.nonnegative = on, *this; }
    ShownMatrix& free_aspect() { return spec_.free_aspect = true, *this; }
    ShownMatrix& marks(std::vector<CellMarks> marks) { return spec_.marks = std::move(marks), *this; }

    NamedMatrix& spec() { return spec_; }
    operator NamedMatrix() const {
        NamedMatrix matrix = spec_;
        if (!initial_.empty()) matrix.initial_products = products_of(initial_);
        return matrix;
    }

  private:
    NamedMatrix spec_;
    std::vector<Table> initial_;
};

/// Blocks of one row or column each, named by the numbers from `first` to `last`.
inline std::vector<Block> numbered_blocks(int first, int last) {
    std::vector<Block> blocks;
    for (int number = first; number <= last; ++number) blocks.push_back({std::to_string(number), 1});
    return blocks;
}

// The course of a cell of a matrix over the moments of a run.

struct MatrixSelection {
    std::string matrix;
    int row = 0;
    int column = 0;
    bool operator==(const MatrixSelection&) const = default;
};

/// The course of a cell over `moments` (steps ascending), one row per seed. The mean over seeds is the value that the
/// picture of that view shows. If the view scales, all seeds are divided by the largest entry of their mean at that
/// moment. If it subtracts theory or a pinned moment, it does so for every seed. In magnitudes the seeds are turned if
/// their mean is below zero. Theory's value is a reference line if numbers are scaled. The rows are the seeds that the
/// view shows: one seed, those that have emerged by the last moment, or all; a failed seed ends at its last good state.
/// Moments whose matrix has another size, or of which the view shows nothing, are left out.
PlotSpec history_of(const std::vector<std::shared_ptr<const Snapshot>>& moments, const MatrixSelection& cell,
                    const MatrixView& view);

}  // namespace emergence
