#include "core/pictures/read_matrix.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

void add_named(std::string& text, const std::string& name, double value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, readout(value));
}

bool same_size(const Table& a, const Table& b) { return a.rows == b.rows && a.columns == b.columns; }

// The part of a matrix in a block, divided by the matrix' largest entry.
Eigen::MatrixXd scaled_part(const Table& table, const CellRange& cells) {
    const double largest = largest_entry(table);
    Eigen::MatrixXd part(cells.last_row - cells.first_row, cells.last_column - cells.first_column);
    for (int i = 0; i < part.rows(); ++i)
        for (int j = 0; j < part.cols(); ++j) part(i, j) = table(cells.first_row + i, cells.first_column + j) / largest;
    return part;
}

const BlockMeaning* meaning_of(const HeatmapSpec& spec, BlockPosition block) {
    for (const BlockMeaning& meaning : spec.meanings)
        if (meaning.row_block == block.row_block && meaning.column_block == block.column_block) return &meaning;
    return nullptr;
}

// Where theory has entries: by which multiple of them, if that is what differs most.
std::string what_departs(const BlockMeaning* meaning, const Eigen::MatrixXd& learned, const Eigen::MatrixXd& theory) {
    const std::string brief = meaning == nullptr ? "" : meaning->brief;
    if (theory.isZero()) return brief.empty() ? "theory has 0" : brief;
    const double multiple = learned.cwiseProduct(theory).sum() / theory.squaredNorm();
    const bool weaker = std::abs(multiple - 1.0) * theory.norm() >= (learned - multiple * theory).norm();
    const std::string named = brief.empty() ? "the block" : brief;
    return weaker ? fmt::format("{} at {} of theory's", named, with_minus(fmt::format("{:.1f}", multiple)))
                  : named + " with entries that theory has not";
}

std::string measured_departure(const Eigen::MatrixXd& learned, const Eigen::MatrixXd& theory) {
    const auto short_number = [](double value) {
        return with_minus(fmt::format("{:.2g}", std::round(value * 100.0) / 100.0));
    };
    const bool square = learned.rows() == learned.cols();
    const double mean = learned.diagonal().mean();
    if (square && std::abs(mean) >= 0.5 * learned.cwiseAbs().maxCoeff())
        return fmt::format("{}{}, theory {}", short_number(mean), learned.rows() > 1 ? " on the diagonal" : "",
                           short_number(theory.diagonal().mean()));
    return fmt::format("up to {} in size, theory {}", short_number(learned.cwiseAbs().maxCoeff()),
                       theory.isZero() ? "0" : "up to " + short_number(theory.cwiseAbs().maxCoeff()));
}

}  // namespace

std::vector<Departure> departures(const HeatmapSpec& learned, const HeatmapSpec& theory) {
    std::vector<Departure> found;
    if (!same_size(learned.raw, theory.values) || !(largest_entry(learned.raw) > 0.0) ||
        !(largest_entry(theory.values) > 0.0))
        return found;
    for (int i = 0; i < static_cast<int>(learned.row_blocks.size()); ++i)
        for (int j = 0; j < static_cast<int>(learned.column_blocks.size()); ++j) {
            const CellRange cells = cells_of(learned, i, j);
            const Eigen::MatrixXd as_learned = scaled_part(learned.raw, cells),
                                  expected = scaled_part(theory.values, cells);
            if (as_learned.size() == 0 || !as_learned.allFinite()) continue;
            const auto shorter = static_cast<double>(std::min(as_learned.rows(), as_learned.cols()));
            found.push_back({{i, j},
                             (as_learned - expected).norm() / std::sqrt(shorter),
                             what_departs(meaning_of(learned, {i, j}), as_learned, expected),
                             measured_departure(as_learned, expected)});
        }
    std::stable_sort(found.begin(), found.end(),
                     [](const Departure& a, const Departure& b) { return a.size > b.size; });
    return found;
}

std::string block_name(const HeatmapSpec& spec, BlockPosition block) {
    return fmt::format("{} by {}", spec.row_blocks[static_cast<size_t>(block.row_block)].label,
                       spec.column_blocks[static_cast<size_t>(block.column_block)].label);
}

std::string block_text(const std::vector<Block>& blocks, int index) {
    const std::optional<BlockRange> range = block_range(blocks, index);
    if (!range) return "";
    const std::string& label = blocks[static_cast<size_t>(range->block)].label;
    return range->size == 1 ? label : fmt::format("{}, {} of {}", label, index - range->first + 1, range->size);
}

std::string expectation_text(const HeatmapSpec& spec, CellPosition cell) {
    const std::optional<BlockPosition> block = block_at(spec, cell);
    if (!block || spec.meanings.empty()) return "";
    const BlockMeaning* said = meaning_of(spec, *block);
    if (said != nullptr && !said->text.empty())
        return said->hatched ? said->text : "theory expects of this block: " + said->text;
    if (said != nullptr) return "theory expects here: 0 (" + said->brief + ")";
    const bool theory = std::any_of(spec.meanings.begin(), spec.meanings.end(),
                                    [](const BlockMeaning& meaning) { return !meaning.hatched; });
    return theory ? "theory expects here: 0, the block is not used" : "";
}

CellReading read_cell(const HeatmapSpec& spec, CellPosition cell, const HeatmapSpec* companion,
                      const std::string& companion_name) {
    const double shown = spec.values(cell.row, cell.column);
    CellReading reading;
    reading.value = std::isnan(shown) ? "–" : readout(shown);
    reading.unit = spec.unit;
    if (same_size(spec.raw, spec.values)) {
        const double raw = spec.raw(cell.row, cell.column);
        if (spec.unit != "raw" && raw != shown && !std::isnan(raw)) add_named(reading.others, "raw", raw);
        const bool has_scale = spec.unit == "raw" || raw != shown;
        if (spec.unit != "scaled" && has_scale && spec.largest > 0.0 && std::isfinite(raw))
            add_named(reading.others, "scaled", raw / spec.largest);
    }
    if (companion != nullptr && same_size(companion->values, spec.values))
        add_named(reading.others, companion_name, companion->values(cell.row, cell.column));
    const auto place = [](const char* side, const std::string& word, const std::vector<Block>& blocks, int index) {
        return word.empty() ? fmt::format("{} {}: {}", side, index + 1, block_text(blocks, index))
                            : fmt::format("{} {}", word, index + 1);
    };
    reading.row = place("row", spec.row_word, spec.row_blocks, cell.row);
    reading.column = place("column", spec.column_word, spec.column_blocks, cell.column);
    if (std::string text = expectation_text(spec, cell); !text.empty()) reading.remarks.push_back(std::move(text));
    for (const CellMarks& marks : spec.marks)
        if (std::find(marks.cells.begin(), marks.cells.end(), CellMarks::Cell{cell.row, cell.column}) !=
            marks.cells.end())
            reading.remarks.push_back((marks.chosen ? "chosen by " : "") + marks.name);
    if (std::abs(shown) > spec.limit * (1.0 + 1e-9))
        reading.remarks.push_back(
            fmt::format("beyond the colours, which end at {}{}", spec.magnitudes ? "" : "±", readout(spec.limit)));
    return reading;
}

}  // namespace emergence
