#include "core/experiments/matrices/matrices.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/statistics.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

using Matrices = std::shared_ptr<const MatrixSequence>;

enum class MatrixTime { now, since_before, since_first };

// Every setting of experiment "matrices".
struct MatricesConfig {
    std::string file = "copying";
    MatrixTime shown = MatrixTime::now;
    int num_steps = 100'000;
    // Not a setting: a file holds one sequence.
    int seeds = 1;

    void fields(Fields& f) {
        f.group("matrices");
        f(file, "file", "file",
          "An NPZ, NPY or safetensors file, or a folder of numbered ones: matrices, or snapshots x rows x columns. "
          "copying: the shipped example.")
            .path({.in_folder = {".npy", ".npz", ".safetensors"}});
        f.choice(shown, words_of<MatrixTime>({"values", "since_before", "since_first"}), "shown", "pictures show",
                 "The matrices, or what has changed since the snapshot before or since the first one.")
            .called({{"since_before", "change since the one before"}, {"since_first", "change since the first"}})
            .live();
        stop_after_field(f, num_steps, "num_steps", "changes", "The run ends here, or with the last snapshot.", 1e5)
            .live();
    }
};

// The matrix minus that of another snapshot.
Table difference_between(const MatrixSequence::Matrix& matrix, int64_t snapshot, int64_t other) {
    Table difference = matrix.at(snapshot);
    const Table& from = matrix.at(other);
    for (size_t i = 0; i < difference.values.size(); ++i) difference.values[i] -= from.values[i];
    return difference;
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
        for (const MatrixSequence::Matrix& matrix : sequence->matrices) {
            norms.push_back(root_of_squares(matrix.at(snapshot)));
            changes.push_back(snapshot == 0 ? kMissing
                                            : root_of_squares(difference_between(matrix, snapshot, snapshot - 1)));
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
            const MatrixSequence::Matrix& matrix = sequence->matrices[m];
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
            snapshot.scalars.push_back({"step", "step in the file", step_in_file(snapshot), "",
                                        "The step of its own training at which this snapshot was taken."});
        snapshot.scalars.push_back({"norm", "norm", norm, "", "Frobenius norm of all matrices together."});
        for (const MatrixSequence::Matrix& matrix : shared_->matrices)
            snapshot.weights[matrix.id] = stacked(std::vector{matrix.at(snapshot.step)});
        snapshot.seed_word = "sequence";
        const size_t matrices = shared_->matrices.size();
        snapshot.counted = {static_cast<int64_t>(matrices), matrices == 1 ? "matrix" : "matrices"};
        snapshot.headline = "Matrices from " + std::filesystem::path(config_.file).filename().string();
    }
    void evaluate(const MatricesConfig& config, Snapshot& snapshot) const override {
        snapshot.matrices.clear();
        const int64_t other = config.shown == MatrixTime::since_first ? 0 : larger<int64_t>(0, snapshot.step - 1);
        for (const MatrixSequence::Matrix& matrix : shared_->matrices) {
            const bool changes = config.shown != MatrixTime::now;
            const Table table = changes ? difference_between(matrix, snapshot.step, other) : matrix.at(snapshot.step);
            ShownMatrix shown(matrix.id, changes ? "Change of " + matrix.name : matrix.name,
                              "Read from the file, not trained here.");
            shown.words("row", "column").rows({{"", table.rows}}).columns({{"", table.columns}});
            shown.as_is(changes ? fmt::format("since snapshot {}", other) : "")
                .everywhere(table, snapshot.seeds.size());
            snapshot.matrices.push_back(shown);
        }
    }

  private:
    double step_in_file(const Snapshot& snapshot) const { return shared_->steps[static_cast<size_t>(snapshot.step)]; }
};

}  // namespace

ExperimentInfo matrices() {
    ExperimentInfo info = experiment_of<MatricesStudy>(
        kMatrices, "Matrices of your own",
        "Matrices that any program wrote, snapshot by snapshot: pictures, norms and changes over time. Nothing is "
        "trained. The shipped example is an attention layer that PyTorch trained to copy.");
    info.pace = 10;
    return info;
}

}  // namespace emergence
