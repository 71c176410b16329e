#pragma once

#include <filesystem>
#include <vector>

#include "app/export/page_format.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {

/// The name of the file that explains the columns of a sweep's cells.
inline constexpr const char* kColumnsFile = "columns.toml";

/// Writes that file. Makes a seed of the sweep's first cell. Throws IoError, and InputError if it cannot be made.
void write_sweep_columns(const std::filesystem::path& folder, const Sweep& sweep);

/// Draws what is known of a sweep into its folder, in every format, and returns the files: none where nothing
/// is known. Throws IoError.
std::vector<std::filesystem::path> write_sweep_pictures(const std::filesystem::path& folder, const Sweep& sweep,
                                                        const SweepScores& scores, const PageFormat& page = {});

}  // namespace emergence
