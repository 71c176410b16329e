#pragma once
// The structure of a matrix over training: its singular values, the norms of its blocks, and what its squared norm
// consists of, from a run's moments. The numbers are those of the matrix as trained; its sign does not matter.

#include "core/lab/snapshot.h"

namespace emergence {

enum class Structure {
    /// The largest ones, at most kMostSingularValues.
    singular_values,
    /// See block_norms(); of the first kMostBlocks blocks.
    block_norms,
    /// The parts of the squared Frobenius norm, which add up to 1:
    ///
    ///     theory's part = <M, T>^2 / (|T|^2 |M|^2)      of the multiple of theory's matrix T that is nearest to M
    ///     diagonals     = |diag(M - that)|^2 / |M|^2    over the diagonals of the square blocks
    ///     rest          = what is left
    ///
    /// Without theory's matrix there is no such part.
    shares,
};
inline constexpr Structure kStructures[] = {Structure::singular_values, Structure::block_norms, Structure::shares};
inline constexpr int kMostSingularValues = 8;
inline constexpr size_t kMostBlocks = 12;

/// "singular values".
const char* structure_name(Structure structure);
/// What it is, in a sentence.
const char* structure_help(Structure structure);

/// The Frobenius norm of each block, row by row of blocks.
std::vector<double> block_norms(const Table& table, const std::vector<Block>& row_blocks,
                                const std::vector<Block>& column_blocks);

/// A curve plot of one matrix; no run has it among its own plots.
struct StructurePlot {
    std::string matrix;
    Structure structure = Structure::singular_values;

    /// "P0 singular values".
    std::string id() const { return matrix + " " + structure_name(structure); }
    bool operator==(const StructurePlot&) const = default;
};
/// Those that a moment's matrices have, matrix by matrix. Pictures of rewards and the like (free_aspect) have none.
std::vector<StructurePlot> structure_plots(const Snapshot& moment);

/// Draws one such plot again and again as a run goes on: every moment is measured once.
class StructureHistory {
  public:
    explicit StructureHistory(StructurePlot plot) : plot_(std::move(plot)) {}

    /// Over `moments` (steps ascending): a line per number, a row per seed. A seed has no value at a moment at which it
    /// has failed; moments whose matrix has another size than at the last one are left out. Without any such matrix the
    /// plot has no lines.
    PlotSpec plot(const std::vector<std::shared_ptr<const Snapshot>>& moments);

  private:
    struct Measured {
        std::shared_ptr<const Snapshot> moment;
        /// Seeds x lines; no seed if the matrix is not there.
        std::vector<std::vector<double>> seeds;
    };
    StructurePlot plot_;
    std::vector<Measured> measured_;
};

/// All plots of one matrix on a page, without a caption. Throws InputError, naming the matrices, if there is no such
/// matrix.
FigureSpec structure_figure(const std::string& matrix, const std::vector<std::shared_ptr<const Snapshot>>& moments);

}  // namespace emergence
