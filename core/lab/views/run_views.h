#pragma once
// Counts what a run's networks compute and says it in words. Every place that shows such a count calls this.

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/snapshot.h"
#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"
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

/// Builds a MetricPlot.
class HistoryPlot : public PlotBuilder<HistoryPlot, MetricPlot> {
  public:
    HistoryPlot(std::string id, std::string title) : PlotBuilder(std::move(id), std::move(title)) {}

    MetricLineBuilder line(std::string metric) {
        spec_.metrics.push_back({.metric = std::move(metric), .label = ""});
        return MetricLineBuilder(spec_.metrics.back());
    }
};

// The pictures of a run by their ids, and where a Staging puts each of them.

/// Stands for all matrices that are not named elsewhere.
inline constexpr const char* kAllMatrices = "matrices";
/// The matrices of every seed, as tiles.
inline constexpr const char* kSeedTiles = "seeds";

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

}  // namespace emergence
