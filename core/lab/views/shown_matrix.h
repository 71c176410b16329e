#pragma once
// Builds a NamedMatrix in words that read like the picture:
//
//     ShownMatrix kernel("M", "Kernel M", "The weight that a state gives to each source.");
//     kernel.square(states).as_is("rows: states, columns: sources").unit("weight").nonnegative();
//     for (const Chain* chain : chains) kernel.seed(table_of(chain->kernel()));

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "core/base/ranges.h"
#include "core/lab/snapshot.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {

/// See NamedMatrix::initial_products; the tables of all seeds at step 0.
inline Table products_of(const std::vector<Table>& initial) {
    const int seeds = static_cast<int>(initial.size());
    Table products(seeds, seeds);
    for (int i = 0; i < seeds; ++i)
        for (int j = 0; j <= i; ++j) {
            const std::vector<double>&a = initial[i].values, &b = initial[j].values;
            products(i, j) = products(j, i) = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        }
    return products;
}

/// Whether every seed has failed, so only last good states are left.
bool all_failed(const Snapshot& snapshot);

/// Builds a NamedMatrix; its members' meanings stand there.
class ShownMatrix {
  public:
    ShownMatrix(std::string name, std::string title, std::string help) {
        spec_.name = std::move(name);
        spec_.title = std::move(title);
        spec_.help = std::move(help);
    }

    ShownMatrix& rows(std::vector<Block> blocks) { return spec_.row_blocks = std::move(blocks), *this; }
    ShownMatrix& columns(std::vector<Block> blocks) { return spec_.column_blocks = std::move(blocks), *this; }
    ShownMatrix& square(const std::vector<Block>& blocks) { return rows(blocks).columns(blocks); }
    /// Numbered rows and columns instead of named blocks: "arm", "round".
    ShownMatrix& words(std::string row, std::string column) {
        spec_.row_word = std::move(row);
        return spec_.column_word = std::move(column), *this;
    }

    ShownMatrix& seed(Table values) { return spec_.seeds.push_back(std::move(values)), *this; }
    ShownMatrix& everywhere(const Table& values, size_t seeds) { return spec_.seeds.assign(seeds, values), *this; }
    /// Weights in the next seed, now and at step 0, aligned.
    ShownMatrix& seed(Table weights, Table initial) {
        initial_.push_back(std::move(initial));
        return seed(std::move(weights));
    }

    /// Shows the raw values, because rescaling would change their meaning. `note`: the reason, or their source.
    ShownMatrix& as_is(std::string note = "") {
        spec_.may_scale = false;
        return note_alignment(std::move(note));
    }
    ShownMatrix& note_alignment(std::string note) { return spec_.alignment_note = std::move(note), *this; }
    /// Theory's matrix, largest entry 1.
    ShownMatrix& target(Table values, std::string name) {
        spec_.target = std::move(values);
        return spec_.target_name = std::move(name), *this;
    }
    ShownMatrix& meanings(std::vector<BlockMeaning> meanings) { return spec_.meanings = std::move(meanings), *this; }
    ShownMatrix& unit(std::string unit) { return spec_.unit = std::move(unit), *this; }
    ShownMatrix& nonnegative(bool on = true) { return spec_.nonnegative = on, *this; }
    ShownMatrix& free_aspect() { return spec_.free_aspect = true, *this; }
    ShownMatrix& marks(std::vector<CellMarks> marks) { return spec_.marks = std::move(marks), *this; }

    /// The data so far.
    NamedMatrix& spec() { return spec_; }
    operator NamedMatrix() const {
        NamedMatrix matrix = spec_;
        if (!initial_.empty()) matrix.initial_products = products_of(initial_);
        return matrix;
    }

  private:
    NamedMatrix spec_;
    std::vector<Table> initial_;
};

/// Blocks of one row or column each, named by the numbers from `first` to `last`.
inline std::vector<Block> numbered_blocks(int first, int last) {
    std::vector<Block> blocks;
    for (int number = first; number <= last; ++number) blocks.push_back({std::to_string(number), 1});
    return blocks;
}

// The course of a cell of a matrix over the moments of a run.

struct MatrixSelection {
    std::string matrix;
    int row = 0;
    int column = 0;
    bool operator==(const MatrixSelection&) const = default;
};

/// The course of a cell over `moments` (steps ascending), one row per seed. The mean over seeds is the value that the
/// picture of that view shows. If the view scales, all seeds are divided by the largest entry of their mean at that
/// moment. If it subtracts theory or a pinned moment, it does so for every seed. In magnitudes the seeds are turned if
/// their mean is below zero. Theory's value is a reference line if numbers are scaled. The rows are the seeds that the
/// view shows: one seed, those that have emerged by the last moment, or all; a failed seed ends at its last good state.
/// Moments whose matrix has another size, or of which the view shows nothing, are left out.
PlotSpec history_of(const std::vector<std::shared_ptr<const Snapshot>>& moments, const MatrixSelection& cell,
                    const MatrixView& view);

}  // namespace emergence
