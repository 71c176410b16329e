#pragma once
// The most that Emergence reads of the files of other people: beyond it a reader refuses with a sentence. Each limit is
// checked before anything is allocated for what it bounds. kLimits is the table of the handbook's chapter on files.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emergence {

// ---- texts

/// Of a TOML text: settings, lessons, worlds, sweeps, preferences, what is pasted.
inline constexpr size_t kMostTomlBytes = size_t{1} << 20;
/// How deep TOML, JSON and a lesson's conditions nest: brackets, parts of a dotted key, operations.
inline constexpr int kDeepestText = 32;
/// Of a table, CSV.
inline constexpr size_t kMostTableBytes = size_t{1} << 26;
/// Of a figure or its data that may hold settings.
inline constexpr size_t kMostFigureBytes = size_t{1} << 26;
/// Of all world files in a folder together, and their number.
inline constexpr size_t kMostWorldsBytes = size_t{1} << 26;
inline constexpr size_t kMostWorlds = 65536;
/// Of a class that answers at once.
inline constexpr size_t kMostClassAnswers = 10000;

/// A row of the table.
struct Limit {
    std::string_view what;
    uint64_t most = 0;
    /// "bytes" are shown as KiB, MiB or GiB.
    std::string_view unit;
};
inline constexpr Limit kLimits[] = {
    {"a TOML text: settings, a lesson, a world, a sweep, preferences, a pasted text", kMostTomlBytes,
     "bytes"},
    {"nesting of TOML, JSON and conditions: brackets, parts of a dotted key, operations", kDeepestText,
     "levels"},
    {"a table, CSV", kMostTableBytes, "bytes"},
    {"a figure with settings: PDF, SVG, PNG, NPZ", kMostFigureBytes, "bytes"},
    {"the worlds of a folder together", kMostWorldsBytes, "bytes"},
    {"worlds in a folder", kMostWorlds, "files"},
    {"answers of a class", kMostClassAnswers, "answers"},
};

}  // namespace emergence
