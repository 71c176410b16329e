#include "core/experiments/matrices/matrices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using SequenceMatrix = MatrixSequence::Matrix;

bool is_named_as_arrays(const fs::path& file) {
    constexpr std::array kEndings = {".npy", ".npz", ".safetensors"};
    return contains(kEndings, file.extension());
}

// One table for each snapshot of the array; `left`: how many numbers the sequence may still have.
std::vector<Table> tables_of(const Array& array, size_t& left, const std::string& label) {
    const std::vector<size_t>& shape = array.shape;
    if (shape.size() > 3)
        throw InputError(
            "{}: has {} dimensions, {}. Give 2 for a matrix, or 3 for a sequence: snapshots x rows x "
            "columns",
            label, shape.size(), shape_text(shape));
    const size_t rows = shape[shape.size() - 2], columns = shape.back(), size = rows * columns;
    const size_t count = element_count(shape);
    if (count / (size == 0 ? 1 : size) > kMostSnapshots)
        throw InputError("{}: has more than {} snapshots. Give fewer", label, kMostSnapshots);
    if (count == 0) throw InputError("{}: is empty, {}", label, shape_text(shape));
    if (larger(rows, columns) > kMostMatrixSide)
        throw InputError("{}: a matrix has {} x {} entries. At most {} rows and columns can be shown: give a part",
                         label, rows, columns, kMostMatrixSide);
    if (count > left)
        throw InputError("{}: the sequence has more than {} numbers in all. Give fewer snapshots", label,
                         kMostSequenceNumbers);
    left -= count;
    const std::vector<double> values = as_doubles(array);
    for (size_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i]))
            throw InputError("{}: is {} in snapshot {}, row {}, column {}. Give finite numbers", label, values[i],
                             i / size, i % size / columns + 1, i % columns + 1);
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
            throw InputError("{}: has {} snapshots, but {} has {}. Give all as many", label, snapshots, longest,
                             sequence.snapshots);
        longest = name;
        sequence.snapshots = snapshots;
    }
    const Array* steps = file.find("steps");
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
        throw InputError(
            "{}: has no number at the end of its name, so its place in time is not known. Rename or move it",
            file.string());
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
                throw InputError(
                    "{}: is a sequence of its own. In a folder each file is one snapshot: give rows x columns", label);
            if (!moments[number].emplace(name, std::move(tables.front())).second)
                throw InputError("{}: {} stands in two files with number {}", label, name, number);
            labels[name] = label;
        }
    }
    MatrixSequence sequence;
    sequence.snapshots = static_cast<int64_t>(moments.size());
    for (const auto& [name, label] : labels) {
        SequenceMatrix& matrix = sequence.matrices.emplace_back(SequenceMatrix{name, "", {}});
        for (auto& [number, tables] : moments) {
            const auto found = tables.find(name);
            if (found == tables.end()) throw InputError("{}: number {} has no {}", folder.string(), number, name);
            matrix.tables.push_back(std::move(found->second));
            const Table &first = matrix.tables.front(), &table = matrix.tables.back();
            if (table.rows != first.rows || table.columns != first.columns)
                throw InputError("{}: {} has {} x {} entries in number {}, but {} x {} in number {}", folder.string(),
                                 name, table.rows, table.columns, number, first.rows, first.columns,
                                 moments.begin()->first);
        }
    }
    for (const auto& [number, tables] : moments) sequence.steps.push_back(static_cast<double>(number));
    return sequence;
}

// Gives the matrices their ids, and checks what concerns all of them.
void give_ids(MatrixSequence& sequence, const std::string& source) {
    if (sequence.matrices.empty())
        throw InputError("{}: holds no matrix. Give arrays of rows x columns, or of snapshots x rows x columns",
                         source);
    if (sequence.matrices.size() > kMostMatrices)
        throw InputError("{}: holds {} matrices. At most {} can be shown: give a part", source,
                         sequence.matrices.size(), kMostMatrices);
    std::set<std::string> ids;
    size_t numbers = 0;
    for (SequenceMatrix& matrix : sequence.matrices) {
        matrix.id = matrix.name;
        for (char& c : matrix.id)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
        if (!ids.insert(matrix.id).second)
            throw InputError("{}: {} has the name of another matrix but for punctuation. Rename it", source,
                             matrix.name);
        numbers += matrix.tables.front().values.size();
    }
    if (numbers > kMostSnapshotNumbers)
        throw InputError("{}: its matrices have {} entries together. At most {} can be shown: give a part", source,
                         numbers, kMostSnapshotNumbers);
}

using Matrices = std::shared_ptr<const MatrixSequence>;

// Every setting of experiment "matrices".
struct MatricesConfig {
    std::string file = "copying";
    int num_steps = 100'000;
    // Not a setting: a file holds one sequence.
    int seeds = 1;

    void fields(Fields& f) {
        f.group("matrices");
        f(file, "file", "file",
          "An NPZ, NPY or safetensors file, or a folder of numbered ones: matrices, or snapshots x rows x columns. "
          "copying: the shipped example.")
            .path({.in_folder = {".npy", ".npz", ".safetensors"}})
            .former("shown", std::nullopt);
        stop_after_field(f, num_steps, "num_steps", "changes", "The run ends here, or with the last snapshot.", 1e5)
            .live();
    }
};

// The matrix minus that of the snapshot before.
Table change_of(const SequenceMatrix& matrix, int64_t snapshot) {
    Table change = matrix.at(snapshot);
    const Table& before = matrix.at(snapshot - 1);
    for (size_t i = 0; i < change.values.size(); ++i) change.values[i] -= before.values[i];
    return change;
}

// sqrt(sum_ij A_ij^2), without overflow of the squares.
double root_of_squares(const Table& table) {
    double root = 0;
    for (const double entry : table.values) root = std::hypot(root, entry);
    return root;
}

struct MatricesMeasured {
    Matrices sequence;
    /// One for each matrix.
    std::vector<double> norms, changes;

    MatricesMeasured(Matrices from, int64_t snapshot) : sequence(std::move(from)) {
        for (const SequenceMatrix& matrix : sequence->matrices) {
            norms.push_back(root_of_squares(matrix.at(snapshot)));
            changes.push_back(snapshot == 0 ? kMissing : root_of_squares(change_of(matrix, snapshot)));
        }
    }
    void say(Row& row) const {
        HistoryPlot& norm = row.plot("norm", "Norm");
        HistoryPlot& change = row.plot("change", "Change");
        norm.y("Frobenius norm").from(0.0);
        norm.note("The root of the sum of a matrix's squared entries.");
        change.y("norm of the difference").from(0.0);
        change.note("The norm of each matrix minus that of the snapshot before.");
        for (size_t m = 0; m < norms.size(); ++m) {
            const SequenceMatrix& matrix = sequence->matrices[m];
            const int color = static_cast<int>(m);
            row("norm_" + matrix.id, matrix.name, "Frobenius norm of " + matrix.name + ".", norms[m]).line(norm, color);
            row("change_" + matrix.id, matrix.name,
                "Norm of what changed in " + matrix.name + " since the snapshot before.", changes[m])
                .line(change, color);
        }
    }
};

class MatricesSeed final : public RetracedSeed<MatricesMeasured> {
  public:
    MatricesSeed(const MatricesConfig&, int seed_index, Matrices sequence)
        : RetracedSeed(0, seed_index, sequence->snapshots - 1, "told", 0), sequence_(std::move(sequence)) {}

  protected:
    void take_step() override { ++step_; }
    void restart() override {}
    MatricesMeasured measure() override { return {sequence_, step_}; }

  private:
    Matrices sequence_;
};

constexpr StudyNames kMatrices = {"matrices", "changes", "num_steps"};

class MatricesStudy final : public StudyOf<MatricesConfig, MatricesSeed, MatrixSequence> {
  public:
    explicit MatricesStudy(const Settings& settings) : StudyOf(kMatrices, settings) {
        shared_ = read_matrices(config_.file);
        declare(MatricesMeasured(shared_, 0));
    }
    static void check(const MatricesConfig& c) { read_matrices(c.file); }
    int64_t target_step() const override { return smaller(StudyOf::target_step(), shared_->snapshots - 1); }

  protected:
    void show(const Seeds&, Snapshot& snapshot) const override {
        const MatricesMeasured measured(shared_, snapshot.step);
        double norm = 0;
        for (const double one : measured.norms) norm = std::hypot(norm, one);
        if (!shared_->steps.empty())
            snapshot.scalars.push_back({"step", "step in the file", shared_->steps[static_cast<size_t>(snapshot.step)],
                                        "", "The step of its own training at which this snapshot was taken."});
        snapshot.scalars.push_back({"norm", "norm", norm, "", "Frobenius norm of all matrices together."});
        for (const SequenceMatrix& matrix : shared_->matrices) {
            const Table& table = matrix.at(snapshot.step);
            snapshot.weights[matrix.id] = stacked(std::vector{table});
            ShownMatrix shown(matrix.id, matrix.name, "Read from the file, not trained here.");
            shown.words("row", "column").rows({{"", table.rows}}).columns({{"", table.columns}});
            snapshot.matrices.push_back(shown.as_is().everywhere(table, snapshot.seeds.size()));
        }
        snapshot.seed_word = "sequence";
        const size_t matrices = shared_->matrices.size();
        snapshot.counted = {static_cast<int64_t>(matrices), matrices == 1 ? "matrix" : "matrices"};
        snapshot.headline = "Matrices from " + std::filesystem::path(config_.file).filename().string();
    }
};

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

ExperimentInfo matrices() {
    ExperimentInfo info = experiment_of<MatricesStudy>(
        kMatrices, "Matrices of your own",
        "Matrices that any program wrote, snapshot by snapshot: pictures, norms and changes over time. Nothing is "
        "trained. The shipped example is an attention layer that PyTorch trained to copy.");
    info.pace = 10;
    return info;
}

}  // namespace emergence
