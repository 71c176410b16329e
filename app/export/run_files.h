#pragma once
// Writes the files of a run other than pictures.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/export/export.h"
#include "app/export/page_format.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {

/// The runs that a table describes: one run, or those of a figure, whose lines begin with the run's label. A cell is
/// empty if its run does not have the column. The runs must outlive it.
struct RunsOfTable {
    RunsOfTable(const Snapshot& snapshot, const MetricHistory& history) : all{{snapshot, history, ""}} {}
    RunsOfTable(const std::vector<FinishedRun>& runs);

    struct One {
        const Snapshot& snapshot;
        const MetricHistory& history;
        std::string head;  // of its lines
    };
    std::vector<One> all;
    bool labelled = false;
};

/// Writes metrics.csv, which has one line per seed and logged step, up to the snapshot's, seed by seed. A seed that
/// stopped has lines up to its last step.
std::string metrics_csv(const RunsOfTable& runs);

/// Writes seeds.csv, which has one line per seed with its number, whether and at which step it emerged, its step,
/// whether and why it failed, the signs of its matrices, the lamps it lit, and the last logged value of every metric.
std::string seeds_csv(const RunsOfTable& runs);

/// Returns a metric of seed `seed` at the last step that the seed logged, up to the snapshot's, or NaN if it is unknown
/// there.
double last_value(const Snapshot& snapshot, const MetricHistory& history, const std::string& metric, int seed);

/// Writes columns.toml, which explains every column of metrics.csv and seeds.csv. The first run that has a column
/// explains it.
std::string columns_toml(const RunsOfTable& runs);
/// Names the weights of a figure's runs, as in "L = 2/P". A single run has no label.
ArrayMap weights_of(const std::vector<FinishedRun>& runs);

/// The name of metrics.csv's second column for a unit of steps: "MRPs" is "mrp".
std::string step_column(const std::string& step_unit);

inline constexpr const char* kDifferencesFile = "differences.csv";

/// Writes differences.csv and, in each format, the figure comparison.* into `folder`, which must exist. Returns the
/// files. Throws IoError.
std::vector<std::filesystem::path> write_comparison(const std::filesystem::path& folder,
                                                    const std::vector<PairOfRuns>& pairs, const FigureSpec& figure,
                                                    std::span<const FileFormat> formats, const PageFormat& page);

/// The name of the file that explains the columns of a sweep's cells.
inline constexpr const char* kColumnsFile = "columns.toml";

/// Writes that file, which gives the meaning of each column. It makes a seed of the sweep's first cell. Throws IoError,
/// and InputError if it cannot be made.
void write_sweep_columns(const std::filesystem::path& folder, const Sweep& sweep);

/// Draws what is known of a sweep into its folder, in every format, and returns the files. If nothing is known, it
/// writes none. Throws IoError.
std::vector<std::filesystem::path> write_sweep_pictures(const std::filesystem::path& folder, const Sweep& sweep,
                                                        const SweepScores& scores, const PageFormat& page = {});

}  // namespace emergence
