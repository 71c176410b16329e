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
inline constexpr size_t kMostWorldsBytes = size_t{1} << 24;
inline constexpr size_t kMostWorlds = 16384;
/// Of a sweep: cells, each of which is checked before the first is computed.
inline constexpr size_t kMostCells = 100'000;
/// The lines of its table: cells times seeds.
inline constexpr size_t kMostSweepLines = 1'000'000;
/// Of a class that answers at once.
inline constexpr size_t kMostClassAnswers = 10000;

// ---- arrays

/// Of a file of arrays, and of the arrays read from it as they are in memory.
inline constexpr size_t kMostArrayBytes = size_t{1} << 28;
/// The same of weights that a setting names, and of the result of one job.
inline constexpr size_t kMostWeightBytes = size_t{1} << 26;
/// Of an archive, ZIP: files in it.
inline constexpr size_t kMostArchiveFiles = size_t{1} << 17;
/// Of an array: dimensions, and the bytes of its header.
inline constexpr size_t kMostDimensions = 32;
inline constexpr size_t kMostArrayHeader = size_t{1} << 16;
/// Of the header of a safetensors file.
inline constexpr size_t kMostTensorHeader = size_t{1} << 20;
/// Of a checkpoint: seeds, logged rows of all seeds, and a step.
inline constexpr size_t kMostStoredSeeds = 100'000;
inline constexpr size_t kMostStoredRows = size_t{1} << 21;
inline constexpr int64_t kMostStoredStep = int64_t{1} << 53;
/// Of a run's saved moments: their file, of which their arrays are most, their number, and their arrays of all seeds.
inline constexpr size_t kMostMomentFile = 5 * (size_t{1} << 25);
inline constexpr int kMostMoments = 4096;
inline constexpr size_t kMostMomentArrays = size_t{1} << 21;

// ---- what settings cost

/// Of a run: what its seeds hold in memory.
inline constexpr size_t kMostRunBytes = size_t{7} << 27;
/// Of showing one run or file: processor time.
inline constexpr int kMostShowSeconds = 4;

/// A row of the table.
struct Limit {
    std::string_view what;
    uint64_t most = 0;
    /// "bytes" are shown as KiB, MiB or GiB.
    std::string_view unit;
};
inline constexpr Limit kLimits[] = {
    {"a TOML text: settings, a lesson, a world, a sweep, preferences, a pasted text", kMostTomlBytes, "bytes"},
    {"nesting of TOML, JSON and conditions: brackets, parts of a dotted key, operations", kDeepestText, "levels"},
    {"a table, CSV", kMostTableBytes, "bytes"},
    {"a figure with settings: PDF, SVG, PNG, NPZ", kMostFigureBytes, "bytes"},
    {"the worlds of a folder together", kMostWorldsBytes, "bytes"},
    {"worlds in a folder", kMostWorlds, "files"},
    {"cells of a sweep", kMostCells, "cells"},
    {"seeds of all cells of a sweep", kMostSweepLines, "seeds"},
    {"answers of a class", kMostClassAnswers, "answers"},
    {"arrays: an NPZ, NPY or safetensors file, a checkpoint; also what they take in memory", kMostArrayBytes, "bytes"},
    {"weights that a setting names, a job's result, likewise", kMostWeightBytes, "bytes"},
    {"files in an archive", kMostArchiveFiles, "files"},
    {"an array's shape", kMostDimensions, "dimensions"},
    {"the header of an array in NPY or NPZ", kMostArrayHeader, "bytes"},
    {"the header of a safetensors file", kMostTensorHeader, "bytes"},
    {"a checkpoint's seeds", kMostStoredSeeds, "seeds"},
    {"a checkpoint's rows: logged steps times seeds", kMostStoredRows, "rows"},
    {"a step of a checkpoint or a moment", kMostStoredStep, "steps"},
    {"moments, likewise", kMostMomentFile, "bytes"},
    {"moments of a run", kMostMoments, "moments"},
    {"arrays of all moments and seeds", kMostMomentArrays, "arrays"},
    {"showing a run or file on the command line, if settings reach four times their defaults", kMostShowSeconds,
     "s of processor time"},
    {"memory for it; what the seeds of a run hold in memory", kMostRunBytes, "bytes"},
};

}  // namespace emergence
