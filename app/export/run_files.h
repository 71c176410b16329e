#pragma once
// What a run leaves besides pictures.

#include <string>

#include "core/runtime/metrics.h"
#include "core/runtime/snapshot.h"

namespace emergence {

/// metrics.csv: a line a seed and logged step up to the snapshot's, seed by seed; a seed that stopped has
/// lines up to where it did.
std::string metrics_csv(const Snapshot& snapshot, const MetricHistory& history);

/// The name of metrics.csv's second column for a unit of steps: "MRPs" is "mrp".
std::string step_column(const std::string& step_unit);

}  // namespace emergence
