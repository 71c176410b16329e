#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/matrices/matrices.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/files/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using SequenceMatrix = MatrixSequence::Matrix;

constexpr const char* kStepsArray = "steps";

bool is_named_as_arrays(const fs::path& file) {
    constexpr std::array kEndings = {".npy", ".npz", ".safetensors"};
    return contains(kEndings, file.extension());
}

// Refuses what `label` names.
[[noreturn]] void refuse_matrix(const std::string& label, const std::string& why) {
    throw InputError("{}: {}", label, why);
}

// One table for each snapshot of the array; `left`: how many numbers the sequence may still have.
std::vector<Table> tables_of(const Array& array, size_t& left, const std::string& label) {
    const std::vector<size_t>& shape = array.shape;
    if (shape.size() > 3)
        refuse_matrix(label,
                      fmt::format("has {} dimensions, {}. Give 2 for a matrix, or 3 for a sequence: snapshots x rows x "
                                  "columns",
                                  shape.size(), shape_text(shape)));
    const size_t rows = shape[shape.size() - 2], columns = shape.back(), size = rows * columns;
    const size_t count = element_count(shape);
    if (count / (size == 0 ? 1 : size) > kMostSnapshots)
        refuse_matrix(label, fmt::format("has more than {} snapshots. Give fewer", kMostSnapshots));
    if (count == 0) refuse_matrix(label, fmt::format("is empty, {}", shape_text(shape)));
    if (larger(rows, columns) > kMostMatrixSide)
        refuse_matrix(label,
                      fmt::format("a matrix has {} x {} entries. At most {} rows and columns can be shown: give a part",
                                  rows, columns, kMostMatrixSide));
    if (count > left)
        refuse_matrix(label, fmt::format("the sequence has more than {} numbers in all. Give fewer snapshots",
                                         kMostSequenceNumbers));
    left -= count;
    const std::vector<double> values = as_doubles(array);
    for (size_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i]))
            refuse_matrix(label, fmt::format("is {} in snapshot {}, row {}, column {}. Give finite numbers", values[i],
                                             i / size, i % size / columns + 1, i % columns + 1));
    std::vector<Table> tables;
    for (auto from = values.begin(); from != values.end(); from += static_cast<std::ptrdiff_t>(size)) {
        Table& table = tables.emplace_back(static_cast<int>(rows), static_cast<int>(columns));
        std::copy_n(from, size, table.values.begin());
    }
    return tables;
}

MatrixSequence sequence_in_file(const fs::path& path) {
    ArrayFile file(path);
    MatrixSequence sequence;
    size_t left = kMostSequenceNumbers;
    std::string longest;
    for (const std::string& name : file.names()) {
        const Array& array = file.at(name);
        if (array.shape.size() < 2) continue;
        const std::string label = fmt::format("{}: {}", path.string(), name);
        SequenceMatrix& matrix =
            sequence.matrices.emplace_back(SequenceMatrix{name, "", tables_of(array, left, label)});
        const auto snapshots = static_cast<int64_t>(matrix.tables.size());
        if (snapshots == 1) continue;
        if (!longest.empty() && snapshots != sequence.snapshots)
            refuse_matrix(label, fmt::format("has {} snapshots, but {} has {}. Give all as many", snapshots, longest,
                                             sequence.snapshots));
        longest = name;
        sequence.snapshots = snapshots;
    }
    const Array* steps = file.find(kStepsArray);
    if (steps != nullptr && steps->shape == std::vector{static_cast<size_t>(sequence.snapshots)})
        sequence.steps = as_doubles(*steps);
    return sequence;
}

// The number at the end of a file's name, and what stands before it: 100 and "W" of W_100.npy.
std::pair<int64_t, std::string> number_in_name(const fs::path& file) {
    const std::string stem = file.stem().string();
    const size_t begin = stem.find_last_not_of("0123456789") + 1;
    const std::optional<int64_t> number = parsed<int64_t>(stem.substr(begin));
    if (!number)
        refuse_matrix(file.string(),
                      "has no number at the end of its name, so its place in time is not known. Rename or move it");
    return {*number, std::string(trimmed(stem.substr(0, begin), "_-. "))};
}

MatrixSequence sequence_in_folder(const fs::path& folder) {
    std::map<int64_t, std::map<std::string, Table>> moments;
    std::map<std::string, std::string> labels;
    size_t left = kMostSequenceNumbers;
    for (const fs::path& path : files_in(folder)) {
        if (!is_named_as_arrays(path)) continue;
        const auto [number, before] = number_in_name(path);
        ArrayFile file(path);
        for (const std::string& own : file.names()) {
            const Array& array = file.at(own);
            if (array.shape.size() < 2) continue;
            const bool unnamed = path.extension() == ".npy";
            const std::string name = !unnamed ? own : before.empty() ? "matrix" : before;
            const std::string label = fmt::format("{}{}", path.string(), unnamed ? "" : ": " + own);
            std::vector<Table> tables = tables_of(array, left, label);
            if (tables.size() > 1)
                refuse_matrix(label,
                              "is a sequence of its own. In a folder each file is one snapshot: give rows x columns");
            if (!moments[number].emplace(name, std::move(tables.front())).second)
                refuse_matrix(label, fmt::format("{} stands in two files with number {}", name, number));
            labels[name] = label;
        }
    }
    MatrixSequence sequence;
    sequence.snapshots = static_cast<int64_t>(moments.size());
    for (const auto& [name, label] : labels) {
        SequenceMatrix& matrix = sequence.matrices.emplace_back(SequenceMatrix{name, "", {}});
        for (auto& [number, tables] : moments) {
            const auto found = tables.find(name);
            if (found == tables.end()) refuse_matrix(folder.string(), fmt::format("number {} has no {}", number, name));
            matrix.tables.push_back(std::move(found->second));
            const Table &first = matrix.tables.front(), &table = matrix.tables.back();
            if (table.rows != first.rows || table.columns != first.columns)
                refuse_matrix(
                    folder.string(),
                    fmt::format("{} has {} x {} entries in number {}, but {} x {} in number {}", name, table.rows,
                                table.columns, number, first.rows, first.columns, moments.begin()->first));
        }
    }
    for (const auto& [number, tables] : moments) sequence.steps.push_back(static_cast<double>(number));
    return sequence;
}

std::string identifier(std::string name) {
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

// Gives the matrices their ids, and checks what concerns all of them.
void give_ids(MatrixSequence& sequence, const std::string& source) {
    if (sequence.matrices.empty())
        refuse_matrix(source, "holds no matrix. Give arrays of rows x columns, or of snapshots x rows x columns");
    if (sequence.matrices.size() > kMostMatrices)
        refuse_matrix(source, fmt::format("holds {} matrices. At most {} can be shown: give a part",
                                          sequence.matrices.size(), kMostMatrices));
    std::set<std::string> ids;
    size_t numbers = 0;
    for (SequenceMatrix& matrix : sequence.matrices) {
        matrix.id = identifier(matrix.name);
        if (!ids.insert(matrix.id).second)
            refuse_matrix(source,
                          fmt::format("{} has the name of another matrix but for punctuation. Rename it", matrix.name));
        numbers += matrix.tables.front().values.size();
    }
    if (numbers > kMostSnapshotNumbers)
        refuse_matrix(source, fmt::format("its matrices have {} entries together. At most {} can be shown: give a part",
                                          numbers, kMostSnapshotNumbers));
}

}  // namespace

std::shared_ptr<const MatrixSequence> read_matrices(const std::string& name) {
    fs::path path = name;
    if (kind_of_file(path) == fs::file_type::not_found && !path.has_parent_path())
        path = assets_folder() / "weights" / (name + ".npz");
    const fs::file_type kind = kind_of_file(path);
    if (kind == fs::file_type::not_found)
        throw InputError("file: '{}' does not exist. Write the path of a file or a folder with matrices", name);
    static ReadOnce<std::shared_ptr<const MatrixSequence>> known;
    return known.get({path}, [&] {
        MatrixSequence sequence = kind == fs::file_type::directory ? sequence_in_folder(path) : sequence_in_file(path);
        give_ids(sequence, path.string());
        return std::make_shared<const MatrixSequence>(std::move(sequence));
    });
}

bool holds_matrices(const fs::path& path) {
    try {
        if (kind_of_file(path) == fs::file_type::directory)
            return !is_there(path / "config.toml") && any_of(files_in(path), [](const fs::path& file) {
                return is_named_as_arrays(file) && (file.extension() != ".npz" || holds_matrices(file));
            });
        if (is_named_as_arrays(path) && fs::file_size(path) > kMostArrayBytes) return true;  // reading it says so
        const ArrayFile file(path);
        return !file.contains(kSettingsKey) && !(file.contains("P") && file.contains("Q"));
    } catch (const std::runtime_error&) {
        return false;
    }
}

SettingsFile matrices_settings(const fs::path& path) {
    std::string place = fs::absolute(path).lexically_normal().string();
    if (place.ends_with('/') && place.size() > 1) place.pop_back();
    read_matrices(place);
    SettingsFile file;
    file.source = path.string();
    file.experiment = "matrices";
    file.entries = {{"file", place}};
    return file;
}

}  // namespace emergence
