#pragma once

#include <filesystem>
#include <vector>

#include "app/export/page_format.h"
#include "core/lab/sweep_scores.h"

namespace emergence {

/// Draws what is known of a sweep into its folder, in every format, and returns the files: none where nothing
/// is known. Throws IoError.
std::vector<std::filesystem::path> write_sweep_pictures(const std::filesystem::path& folder,
                                                        const Sweep& sweep, const SweepScores& scores,
                                                        const PageFormat& page = {});

}  // namespace emergence
