#pragma once
// What the headline says of a run beside the count (core/lab/views/run_views.h): since when, and how good the run is.

#include <string>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence {

/// times_of(), or a sentence that says that no network has emerged.
std::vector<std::string> times_in_words(const Snapshot& snapshot);

/// The read-out by which two runs are compared first, "value error 0.312 (MSVE at n = 30)", then without its brackets;
/// empty if none. `value`: in place of its own. `beside`: see compared_in_words().
std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& value = "",
                                        const std::string& beside = "");

/// In how many seeds that read-out is lower than the other run's of the same seed, ", lower in 7 of 8 seeds"; "" unless
/// both have it, measured on the same tasks.
std::string compared_in_words(const Snapshot& snapshot, const Snapshot& other);

}  // namespace emergence
