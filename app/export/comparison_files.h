#pragma once
// A comparison of runs as files.

#include <filesystem>
#include <span>
#include <vector>

#include "app/export/export.h"
#include "core/lab/figures/comparison.h"

namespace emergence {

inline constexpr const char* kDifferencesFile = "differences.csv";

/// Writes differences.csv, and the figure in each format as comparison.*, into `folder`, which exists. Returns the
/// files. Throws IoError.
std::vector<std::filesystem::path> write_comparison(const std::filesystem::path& folder,
                                                    const std::vector<PairOfRuns>& pairs, const FigureSpec& figure,
                                                    std::span<const FileFormat> formats, const PageFormat& page);

}  // namespace emergence
