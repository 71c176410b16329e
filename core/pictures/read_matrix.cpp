#include "core/pictures/read_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

void add_named(std::string& text, const std::string& name, double value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, readout(value));
}

bool same_size(const Table& a, const Table& b) { return a.rows == b.rows && a.columns == b.columns; }

}  // namespace

std::string block_text(const std::vector<Block>& blocks, int index) {
    const std::optional<BlockRange> range = block_range(blocks, index);
    if (!range) return "";
    const std::string& label = blocks[static_cast<size_t>(range->block)].label;
    return range->size == 1 ? label : fmt::format("{}, {} of {}", label, index - range->first + 1, range->size);
}

std::string expectation_text(const HeatmapSpec& spec, CellPosition cell) {
    const std::optional<BlockPosition> block = block_at(spec, cell);
    if (!block || spec.meanings.empty()) return "";
    for (const BlockMeaning& meaning : spec.meanings)
        if (meaning.row_block == block->row_block && meaning.column_block == block->column_block)
            return meaning.hatched ? meaning.text : "theory expects of this block: " + meaning.text;
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
            reading.remarks.push_back("chosen by " + marks.name);
    if (std::abs(shown) > spec.limit * (1.0 + 1e-9))
        reading.remarks.push_back(
            fmt::format("beyond the colours, which end at {}{}", spec.magnitudes ? "" : "±", readout(spec.limit)));
    return reading;
}

}  // namespace emergence
