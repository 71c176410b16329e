#pragma once
// Experiment "matrices": a sequence of matrices from any program, snapshot by snapshot. Nothing is trained.
//
// A sequence is one of these:
//
//     an NPZ, NPY or safetensors file    arrays of rows x columns, or of snapshots x rows x columns
//     a folder of such files             one snapshot for each number at the end of a file's name; arrays of
//                                        rows x columns. An NPY file is named by what stands before the number
//
// Arrays of fewer dimensions, such as biases, are passed over. An array "steps" of a file says at which step of its
// training each snapshot was taken; in a folder the numbers say so.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence {

/// The most matrices, snapshots, rows or columns of a matrix, numbers in a snapshot, and numbers in all snapshots.
inline constexpr size_t kMostMatrices = 32, kMostSnapshots = 100'000, kMostMatrixSide = 512,
                        kMostSnapshotNumbers = size_t{1} << 18, kMostSequenceNumbers = size_t{1} << 25;

struct MatrixSequence {
    struct Matrix {
        /// `name` is the name in the file. `id` has an underscore for each character that is no letter, digit or
        /// underscore.
        std::string name, id;
        /// One for each snapshot, all of one size; or a single one that never changes. All entries are finite.
        std::vector<Table> tables;

        const Table& at(int64_t snapshot) const {
            return tables.size() == 1 ? tables.front() : tables[static_cast<size_t>(snapshot)];
        }
    };
    /// At least one, by name.
    std::vector<Matrix> matrices;
    /// At least one.
    int64_t snapshots = 1;
    /// The step of its training at which each snapshot was taken; empty if the file does not say it.
    std::vector<double> steps;
};

/// Reads such a file or folder, or the shipped file of that name in assets/weights ("copying"). Throws InputError,
/// naming file and array, if it cannot be read, holds no matrix, or if a matrix has more than three dimensions, no
/// entry, an entry that is not finite, other snapshots or sizes than the rest, or more than a limit allows.
std::shared_ptr<const MatrixSequence> read_matrices(const std::string& path);

/// Whether `path` is a file of arrays without settings, other than weights P and Q, or a folder with such files. Never
/// throws.
bool holds_matrices(const std::filesystem::path& path);
/// Settings that show it. Throws InputError if read_matrices() does.
SettingsFile matrices_settings(const std::filesystem::path& path);

ExperimentInfo matrices();

}  // namespace emergence
