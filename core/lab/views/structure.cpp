#include "core/lab/views/structure.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"

namespace emergence {
namespace {

// What a plot needs of the matrix besides its numbers.
struct MatrixShape {
    std::vector<Block> row_blocks, column_blocks;
    std::optional<Table> target;
};

double squared_norm(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value * value;
    return sum;
}

std::vector<double> singular_values_of(const Table& table) {
    if (table.values.empty()) return {};
    Eigen::MatrixXd matrix(table.rows, table.columns);
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) matrix(i, j) = table(i, j);
    if (!matrix.allFinite()) return {};
    const Eigen::VectorXd all = singular_values(matrix);
    return {all.data(), all.data() + std::min<Eigen::Index>(all.size(), kMostSingularValues)};
}

// Calls `use` with the first row, the first column and the sizes of each block, row by row.
template <class Use>
void for_blocks(const std::vector<Block>& row_blocks, const std::vector<Block>& column_blocks, Use use) {
    int row = 0;
    for (const Block& rows : row_blocks) {
        int column = 0;
        for (const Block& columns : column_blocks) {
            use(row, column, rows, columns);
            column += columns.size;
        }
        row += rows.size;
    }
}

// Theory's part if theory names a matrix, then diagonals and rest.
std::vector<double> shares_of(const Table& table, const MatrixShape& shape) {
    const double all = squared_norm(table.values);
    Table left = table;
    std::vector<double> shares;
    if (shape.target) {
        const std::vector<double>& target = shape.target->values;
        double product = 0.0;
        for (size_t i = 0; i < target.size(); ++i) product += target[i] * table.values[i];
        const double of_target = squared_norm(target);
        const double multiple = of_target > 0.0 ? product / of_target : 0.0;
        for (size_t i = 0; i < target.size(); ++i) left.values[i] -= multiple * target[i];
        shares.push_back(multiple * multiple * of_target / all);
    }
    double diagonals = 0.0;
    for_blocks(shape.row_blocks, shape.column_blocks,
               [&](int row, int column, const Block& rows, const Block& columns) {
                   if (rows.size != columns.size) return;
                   for (int i = 0; i < rows.size && row + i < left.rows && column + i < left.columns; ++i)
                       diagonals += left(row + i, column + i) * left(row + i, column + i);
               });
    shares.push_back(diagonals / all);
    shares.push_back(std::max(0.0, squared_norm(left.values) - diagonals) / all);
    return shares;
}

std::vector<double> structure_of(const Table& table, const MatrixShape& shape, Structure structure) {
    if (structure == Structure::singular_values) return singular_values_of(table);
    if (structure == Structure::shares) return shares_of(table, shape);
    return block_norms(table, shape.row_blocks, shape.column_blocks);
}

Series line_named(std::string name, int color) {
    return {.name = std::move(name), .x = {}, .rows = {}, .color = color};
}

// The lines of a plot, without their points.
std::vector<Series> lines_of_structure(const MatrixShape& shape, const Table& size, Structure structure) {
    std::vector<Series> lines;
    if (structure == Structure::singular_values) {
        const int count = std::min({size.rows, size.columns, kMostSingularValues});
        for (int i = 0; i < count; ++i)
            lines.push_back(line_named(fmt::format("σ{}", i + 1), ordinal_color(Course::blues, count - 1 - i, count)));
    } else if (structure == Structure::block_norms) {
        for_blocks(shape.row_blocks, shape.column_blocks, [&](int, int, const Block& rows, const Block& columns) {
            if (lines.size() < kMostBlocks)
                lines.push_back(
                    line_named(fmt::format("{}, {}", rows.label, columns.label), static_cast<int>(lines.size())));
        });
    } else {
        if (shape.target) lines.push_back(line_named("theory's part", 2));
        lines.push_back(line_named(shape.target ? "other diagonals" : "diagonals", 0));
        lines.push_back(line_named("rest", 1));
    }
    return lines;
}

bool same_shape(const Table& a, const Table& b) { return a.rows == b.rows && a.columns == b.columns; }

void describe_structure(const Table& size, size_t blocks, const StructurePlot& what, PlotSpec& plot) {
    plot.note = structure_help(what.structure);
    plot.note += " Of the matrix as trained, neither aligned nor scaled.";
    const int least = std::min(size.rows, size.columns);
    switch (what.structure) {
        case Structure::singular_values:
            plot.y.label = "singular value";
            if (least > kMostSingularValues)
                plot.note += fmt::format(" The largest {} of {}.", kMostSingularValues, least);
            break;
        case Structure::block_norms:
            plot.y.label = "Frobenius norm";
            if (blocks > kMostBlocks) plot.note += fmt::format(" The first {} of {}.", kMostBlocks, blocks);
            break;
        case Structure::shares:
            plot.y.label = "share";
            plot.y.maximum = 1.0;
            break;
    }
    plot.y.minimum = 0.0;
}

}  // namespace

std::vector<double> block_norms(const Table& table, const std::vector<Block>& row_blocks,
                                const std::vector<Block>& column_blocks) {
    std::vector<double> norms;
    for_blocks(row_blocks, column_blocks, [&](int row, int column, const Block& rows, const Block& columns) {
        double sum = 0.0;
        for (int i = row; i < std::min(row + rows.size, table.rows); ++i)
            for (int j = column; j < std::min(column + columns.size, table.columns); ++j)
                sum += table(i, j) * table(i, j);
        norms.push_back(std::sqrt(sum));
    });
    return norms;
}

const char* structure_name(Structure structure) {
    constexpr const char* kNames[] = {"singular values", "block norms", "shares"};
    return kNames[static_cast<size_t>(structure)];
}

const char* structure_help(Structure structure) {
    constexpr const char* kHelp[] = {
        "Singular values over training.", "Frobenius norm of each block over training, rows by columns.",
        "Shares of the squared Frobenius norm, which add up to 1: the nearest multiple of theory's matrix, what else "
        "stands on the diagonals of square blocks, and the rest."};
    return kHelp[static_cast<size_t>(structure)];
}

std::vector<StructurePlot> structure_plots(const Snapshot& moment) {
    std::vector<StructurePlot> plots;
    for (const NamedMatrix& matrix : moment.matrices) {
        if (matrix.free_aspect || matrix.seeds.empty()) continue;
        for (const Structure structure : kStructures) plots.push_back({matrix.name, structure});
    }
    return plots;
}

PlotSpec StructureHistory::plot(const std::vector<std::shared_ptr<const Snapshot>>& moments) {
    PlotSpec plot;
    plot.id = plot_.id();
    plot.title = fmt::format("{}: {}", plot_.matrix, structure_name(plot_.structure));
    plot.sparse_markers = true;
    const NamedMatrix* last = moments.empty() ? nullptr : find_matrix(*moments.back(), plot_.matrix);
    if (last == nullptr || last->seeds.empty()) return plot;
    const Table& size = last->seeds.front();
    MatrixShape shape{last->row_blocks, last->column_blocks, last->target};
    if (shape.target && !same_shape(*shape.target, size)) shape.target.reset();
    plot.x.label = moments.back()->step_unit;
    plot.x.minimum = 0.0;
    describe_structure(size, shape.row_blocks.size() * shape.column_blocks.size(), plot_, plot);
    plot.series = lines_of_structure(shape, size, plot_.structure);
    for (Series& line : plot.series) line.rows.resize(last->seeds.size());

    size_t drawn = 0;
    std::vector<Measured> measured;
    auto known = measured_.begin();
    for (const auto& moment : moments) {
        while (known != measured_.end() && known->moment->step < moment->step) ++known;
        if (known != measured_.end() && known->moment == moment) {
            measured.push_back(std::move(*known++));
        } else {
            measured.push_back({moment, {}});
            const NamedMatrix* matrix = find_matrix(*moment, plot_.matrix);
            if (matrix != nullptr && matrix->seeds.size() == last->seeds.size())
                for (const Table& table : matrix->seeds)
                    if (same_shape(table, size))
                        measured.back().seeds.push_back(structure_of(table, shape, plot_.structure));
        }
        const Measured& now = measured.back();
        if (now.seeds.size() != last->seeds.size()) continue;
        ++drawn;
        for (size_t i = 0; i < plot.series.size(); ++i) {
            plot.series[i].x.push_back(static_cast<double>(moment->step));
            for (size_t k = 0; k < now.seeds.size(); ++k) {
                const bool failed = k < moment->seeds.size() && moment->seeds[k].failed;
                plot.series[i].rows[k].push_back(failed || i >= now.seeds[k].size() ? kMissing : now.seeds[k][i]);
            }
        }
    }
    measured_ = std::move(measured);
    plot.note += fmt::format(" {} moments of the run.", drawn);
    return plot;
}

FigureSpec structure_figure(const std::string& matrix, const std::vector<std::shared_ptr<const Snapshot>>& moments) {
    FigureSpec figure;
    figure.name = "structure-" + matrix;
    figure.title = "Structure of " + matrix;
    std::string names;
    for (const StructurePlot& one : structure_plots(*moments.back())) {
        if (one.structure == kStructures[0]) names += (names.empty() ? "" : ", ") + one.matrix;
        if (one.matrix != matrix) continue;
        const int column = static_cast<int>(figure.cells.size());
        figure.cells.push_back({StructureHistory(one).plot(moments), 0, column});
    }
    if (figure.cells.empty()) throw InputError(fmt::format("no matrix '{}'. Use one of: {}", matrix, names));
    figure.column_weights.assign(figure.cells.size(), 1.0);
    figure.row_weights = {1.0};
    figure.width_inches = 12;
    figure.height_inches = 4;
    return figure;
}

}  // namespace emergence
