// Matrices, drawings and whole figures in words.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/describe.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

constexpr double kAsGoodAsZero = 0.1;  // of the largest entry: a block without pattern
constexpr int kMostBlocks = 6;         // along one side, for blocks to be described
constexpr size_t kMostEntries = 4;     // that are listed
constexpr size_t kMostNumbers = 30;    // of a drawing
constexpr size_t kMostDrawnLabels = 40;

std::string finished_sentence(std::string text) {
    if (!text.empty() && std::string_view(".!?:").find(text.back()) == std::string_view::npos) text += '.';
    return text;
}

// Rounding errors beside large numbers are 0.
std::string spoken_number(double value, double largest) {
    return spoken(std::abs(value) < 1e-9 * largest ? 0.0 : value);
}

// "arm 3", "reward", "phi 2": the name of a row or column.
std::string line_name(const std::vector<Block>& blocks, const std::string& word, int index) {
    if (word == "row" || word == "column") return std::to_string(index + 1);
    if (!word.empty()) return fmt::format("{} {}", word, index + 1);
    const std::string block = block_text(blocks, index);
    return block.empty() ? std::to_string(index + 1) : block;
}

std::string cell_name(const HeatmapSpec& heatmap, int row, int column) {
    return fmt::format("row {}, column {}", line_name(heatmap.row_blocks, heatmap.row_word, row),
                       line_name(heatmap.column_blocks, heatmap.column_word, column));
}

// "9 rows (phi 4, phi' 4, reward 1)"
std::string side_words(int count, const char* what, const std::vector<Block>& blocks, const std::string& word) {
    std::string text = counted(count, what);
    if (word == what) return text;
    if (!word.empty()) return fmt::format("{} ({}s)", text, word);
    if (blocks.empty() || blocks.size() > static_cast<size_t>(kMostBlocks)) return text;
    return fmt::format("{} ({})", text,
                       listed(blocks, [](const Block& one) { return fmt::format("{} {}", one.label, one.size); }));
}

// Rows and columns with a meaning in blocks, not many numbered things.
bool has_blocks(const HeatmapSpec& heatmap) {
    const auto few = [](const std::vector<Block>& blocks, int count) {
        int sum = 0;
        for (const Block& block : blocks) sum += block.size;
        return !blocks.empty() && blocks.size() <= static_cast<size_t>(kMostBlocks) && sum == count;
    };
    return heatmap.row_word.empty() && heatmap.column_word.empty() && few(heatmap.row_blocks, heatmap.values.rows) &&
           few(heatmap.column_blocks, heatmap.values.columns);
}

std::string entries_words(const HeatmapSpec& heatmap, double largest) {
    const Table& values = heatmap.values;
    std::vector<int> order(values.values.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](int i) { return !std::isfinite(values.values[i]); });
    const auto size_of = [&](int i) { return std::abs(values.values[i]); };
    const size_t listed = std::min(kMostEntries, order.size());
    std::partial_sort(order.begin(), order.begin() + listed, order.end(),
                      [&](int a, int b) { return size_of(a) > size_of(b); });
    std::vector<std::string> entries;
    for (size_t i = 0; i < listed && size_of(order[i]) > 0.0; ++i)
        entries.push_back(fmt::format("{} ({})", spoken_number(values.values[order[i]], largest),
                                      cell_name(heatmap, order[i] / values.columns, order[i] % values.columns)));
    if (entries.empty()) return "Every entry is 0.";
    return fmt::format("The largest entries: {}.", fmt::join(entries, "; "));
}

// A block of the matrix: rows and columns from its first cell.
struct Part {
    std::string name;
    int row = 0, column = 0, rows = 0, columns = 0;
};

std::vector<Part> parts_of(const HeatmapSpec& heatmap) {
    std::vector<Part> parts;
    for (int i = 0; const Block& across : heatmap.row_blocks) {
        for (int j = 0; const Block& down : heatmap.column_blocks) {
            const CellRange cells = cells_of(heatmap, i, j++);
            parts.push_back({fmt::format("rows {}, columns {}", across.label, down.label), cells.first_row,
                             cells.first_column, across.size, down.size});
        }
        ++i;
    }
    return parts;
}

// The largest |entry| of a part of the table, or of what lies beside its diagonal.
double largest_of(const Table& table, const Part& part, bool beside = false) {
    double largest = 0.0;
    for (int i = 0; i < part.rows; ++i)
        for (int j = 0; j < part.columns; ++j)
            if (!beside || i != j) largest = larger(largest, std::abs(table(part.row + i, part.column + j)));
    return largest;
}

std::string part_words(const Table& table, const Part& part, double largest) {
    const auto number = [&](double value) { return spoken_number(value, largest); };
    if (part.rows == 1 && part.columns == 1)
        return fmt::format("Block {}: {}.", part.name, number(table(part.row, part.column)));
    if (part.rows == part.columns) {
        double sum = 0.0, low = table(part.row, part.column), high = low;
        for (int i = 0; i < part.rows; ++i) {
            const double value = table(part.row + i, part.column + i);
            sum += value;
            low = std::min(low, value);
            high = std::max(high, value);
        }
        const double beside = largest_of(table, part, true);
        const char* kind = beside <= 0.5 * std::abs(sum / part.rows) ? "a diagonal" : "no clear diagonal";
        return fmt::format("Block {}: {}, its entries {} to {}, mean {}; off it at most {} in size.", part.name, kind,
                           number(low), number(high), number(sum / part.rows), number(beside));
    }
    return fmt::format("Block {}: entries up to {} in size.", part.name, number(largest_of(table, part)));
}

void add_blocks(const HeatmapSpec& heatmap, double largest, std::vector<std::string>& sentences) {
    double rest = 0.0;
    bool any = false, quiet = false;
    for (const Part& part : parts_of(heatmap)) {
        const double here = largest_of(heatmap.values, part);
        if (!(here <= kAsGoodAsZero * largest)) {
            sentences.push_back(part_words(heatmap.values, part, largest));
            any = true;
        } else {
            rest = std::max(rest, here);
            quiet = true;
        }
    }
    if (any && quiet)
        sentences.push_back(
            fmt::format("In all other blocks no entry is above {} in size.", spoken_number(rest, largest)));
}

// Each matrix divided by its largest entry, so that only their shapes count.
void add_theory(const HeatmapSpec& heatmap, const HeatmapSpec& theory, std::vector<std::string>& sentences) {
    const std::vector<Departure> blocks = departures(heatmap, theory);
    if (blocks.empty() || heatmap.unit.find("minus") != std::string::npos) return;
    const auto unknown = count_if(heatmap.values.values, [](double value) { return !std::isfinite(value); });
    if (unknown > 0) {
        sentences.push_back(fmt::format("{} of {} entries are no numbers, so the matrix is not compared with theory's.",
                                        unknown, heatmap.values.values.size()));
        return;
    }
    std::vector<std::string> far;
    for (const Departure& block : blocks)
        if (block.size > kDeparts && far.size() < static_cast<size_t>(kMostBlocks))
            far.push_back(fmt::format("{}, by {}: {} ({})", block_name(heatmap, block.block), spoken(block.size),
                                      block.what, block.measured));
    sentences.push_back(
        far.empty() ? fmt::format("Every block agrees with theory's within {}.", spoken(kDeparts))
                    : fmt::format("After dividing each matrix by its largest entry, these blocks differ from theory's: "
                                  "{}.",
                                  fmt::join(far, "; ")));
}

std::string block_label(const std::vector<Block>& blocks, int index) {
    return index >= 0 && static_cast<size_t>(index) < blocks.size() ? blocks[index].label : std::to_string(index + 1);
}

// The part of a heatmap's id before " theory" or " learned".
std::string matrix_name(const HeatmapSpec& heatmap) { return heatmap.id.substr(0, heatmap.id.find(' ')); }
bool is_theory(const HeatmapSpec& heatmap) { return heatmap.id.ends_with(" theory"); }

}  // namespace

Description describe(const HeatmapSpec& heatmap, const HeatmapSpec* theory) {
    Description said{heatmap.id, heatmap.title, {}};
    std::vector<std::string>& sentences = said.sentences;
    if (heatmap.values.values.empty()) {
        sentences.push_back(finished_sentence(heatmap.note));
        return said;
    }
    sentences.push_back(
        fmt::format("{} of {} and {}{}.", is_theory(heatmap) ? "Theory's matrix" : "A matrix",
                    side_words(heatmap.values.rows, "row", heatmap.row_blocks, heatmap.row_word),
                    side_words(heatmap.values.columns, "column", heatmap.column_blocks, heatmap.column_word),
                    heatmap.unit.empty() ? "" : fmt::format("; values: {}", heatmap.unit)));
    if (!heatmap.note.empty()) sentences.push_back(finished_sentence(heatmap.note));
    if (!is_theory(heatmap) && (theory != nullptr || !heatmap.meanings.empty()))
        sentences.push_back("These are the run's numbers, not theory's:");
    const double largest = largest_entry(heatmap.values);
    sentences.push_back(entries_words(heatmap, largest));
    if (has_blocks(heatmap)) add_blocks(heatmap, largest, sentences);
    if (heatmap.norm)
        sentences.push_back(fmt::format("Frobenius norm before scaling: {}; at the start {}.", spoken(*heatmap.norm),
                                        spoken(heatmap.norm_reference)));
    if (theory != nullptr) add_theory(heatmap, *theory, sentences);
    for (const BlockMeaning& meaning : heatmap.meanings)
        if (!meaning.text.empty())
            sentences.push_back(finished_sentence(fmt::format(
                "Theory expects in rows {}, columns {}: {}", block_label(heatmap.row_blocks, meaning.row_block),
                block_label(heatmap.column_blocks, meaning.column_block), meaning.text)));
    for (const CellMarks& marks : heatmap.marks)
        sentences.push_back(fmt::format("Marked, {}: {} cells.", marks.name, marks.cells.size()));
    return said;
}

Description describe(const DrawingSpec& drawing) {
    Description said{drawing.id, drawing.title, {}};
    if (!drawing.readout.empty()) said.sentences.push_back(finished_sentence(drawing.readout));
    const size_t shown = std::min(kMostNumbers, drawing.numbers.size()), more = drawing.numbers.size() - shown;
    std::string numbers = listed(std::span(drawing.numbers).first(shown), [](const DrawnNumber& one) {
        return fmt::format("{} {}{}", one.name, spoken(one.value), one.unit.empty() ? "" : " " + one.unit);
    });
    if (more > 0) numbers += fmt::format(", and {} more", more);
    if (!numbers.empty()) said.sentences.push_back(fmt::format("Numbers: {}.", numbers));
    std::vector<std::string> labels;
    for (const DrawnShape& shape : drawing.shapes)
        if (shape.kind == DrawnShape::Kind::label && labels.size() < kMostDrawnLabels && !contains(labels, shape.text))
            labels.push_back(shape.text);
    if (!labels.empty()) said.sentences.push_back(fmt::format("The drawing is labelled: {}.", fmt::join(labels, ", ")));
    if (!drawing.note.empty()) said.sentences.push_back(finished_sentence(drawing.note));
    return said;
}

std::vector<Description> describe(const std::vector<HeatmapSpec>& heatmaps) {
    std::vector<Description> said;
    for (const HeatmapSpec& one : heatmaps) {
        const auto of_same = [&](bool theory) {
            return find_if(heatmaps, [&](const HeatmapSpec& other) {
                return is_theory(other) == theory && matrix_name(other) == matrix_name(one);
            });
        };
        if (is_theory(one) && of_same(false) != heatmaps.end()) continue;
        const auto theory = is_theory(one) ? heatmaps.end() : of_same(true);
        said.push_back(describe(one, theory == heatmaps.end() ? nullptr : &*theory));
    }
    return said;
}

std::vector<Description> describe(const FigureSpec& figure) {
    std::vector<Description> said;
    if (!figure.title.empty() || !figure.caption.empty())
        said.push_back({"",
                        figure.title.empty() ? figure.name : figure.title,
                        {finished_sentence(figure.caption.empty() ? figure.name : figure.caption)}});
    std::vector<HeatmapSpec> heatmaps;
    for (const FigureCell& cell : figure.cells)
        if (const auto* heatmap = std::get_if<HeatmapSpec>(&cell.content)) heatmaps.push_back(*heatmap);
    for (Description& one : describe(heatmaps)) said.push_back(std::move(one));
    for (const FigureCell& cell : figure.cells)
        if (const auto* plot = std::get_if<PlotSpec>(&cell.content))
            said.push_back(describe(*plot));
        else if (const auto* drawing = std::get_if<DrawingSpec>(&cell.content))
            said.push_back(describe(*drawing));
    return said;
}

std::string text_of(const std::vector<Description>& descriptions) {
    std::string text;
    for (const Description& one : descriptions) {
        if (!text.empty()) text += '\n';
        text += one.title + '\n';
        for (const std::string& sentence : one.sentences) text += sentence + '\n';
    }
    return text;
}

}  // namespace emergence
