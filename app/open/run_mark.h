#pragma once
// What the user calls a saved run, and whether it has a star: a small file in the run's folder, whose own name stays.

#include <filesystem>
#include <string>

namespace emergence {

inline constexpr const char* kRunMarkFile = "mark.toml";

struct RunMark {
    /// "": the folder's name.
    std::string name;
    bool starred = false;
    bool operator==(const RunMark&) const = default;
};

/// The mark in a run's folder; an empty one if it has none or the file cannot be read.
RunMark run_mark_in(const std::filesystem::path& folder);
/// Writes the mark; an empty one removes the file. A marked run never makes room for others. Throws IoError.
void write_run_mark(const std::filesystem::path& folder, const RunMark& mark);

}  // namespace emergence
