// One cell of a matrix and one place of a plot in words.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/matrix.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/describe.h"

namespace emergence {
namespace {

void add_named(std::string& text, const std::string& name, double value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, readout(value));
}

bool is_zero(const Mat& matrix) { return matrix.cwiseAbs().maxCoeff() <= 1e-12; }

// The part of a matrix in a block, divided by the matrix' largest entry.
Mat scaled_part(const Table& table, const CellRange& cells) {
    const double largest = largest_entry(table);
    Mat part(cells.last_row - cells.first_row, cells.last_column - cells.first_column);
    for (int i = 0; i < part.rows(); ++i)
        for (int j = 0; j < part.cols(); ++j) part(i, j) = table(cells.first_row + i, cells.first_column + j) / largest;
    return part;
}

const BlockMeaning* meaning_of(const HeatmapSpec& spec, BlockPosition block) {
    for (const BlockMeaning& meaning : spec.meanings)
        if (BlockPosition{meaning.row_block, meaning.column_block} == block) return &meaning;
    return nullptr;
}

// How a block departs: by a multiple of theory's entries, if that is the larger part, or by other entries.
std::string what_departs(const BlockMeaning* meaning, const Mat& learned, const Mat& theory) {
    const std::string brief = meaning == nullptr ? "" : meaning->brief;
    if (is_zero(theory)) return brief.empty() ? "theory has 0" : brief;
    const double multiple = learned.cwiseProduct(theory).sum() / theory.squaredNorm();
    const bool weaker = std::abs(multiple - 1.0) * theory.norm() >= (learned - multiple * theory).norm();
    const std::string named = brief.empty() ? "the block" : brief;
    return weaker ? fmt::format("{} at {} of theory's", named, with_minus(fmt::format("{:.1f}", multiple)))
                  : named + " with entries that theory does not have";
}

std::string measured_departure(const Mat& learned, const Mat& theory) {
    const auto short_number = [](double value) {
        return with_minus(fmt::format("{:.2g}", std::round(value * 100.0) / 100.0));
    };
    const bool square = learned.rows() == learned.cols();
    const double mean = learned.diagonal().mean();
    if (square && std::abs(mean) >= 0.5 * learned.cwiseAbs().maxCoeff())
        return fmt::format("{}{}, theory {}", short_number(mean), learned.rows() > 1 ? " on the diagonal" : "",
                           short_number(theory.diagonal().mean()));
    return fmt::format("up to {} in size, theory {}", short_number(learned.cwiseAbs().maxCoeff()),
                       is_zero(theory) ? "0" : "up to " + short_number(theory.cwiseAbs().maxCoeff()));
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
            const Mat as_learned = scaled_part(learned.raw, cells), expected = scaled_part(theory.values, cells);
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
    return fmt::format("{} by {}", spec.row_blocks[block.row_block].label,
                       spec.column_blocks[block.column_block].label);
}

std::string block_text(const std::vector<Block>& blocks, int index) {
    const std::optional<BlockRange> range = block_range(blocks, index);
    if (!range) return "";
    const std::string& label = blocks[range->block].label;
    return range->size == 1 ? label : fmt::format("{}, {} of {}", label, index - range->first + 1, range->size);
}

// What theory expects in the block of a cell, in words; "" where nothing is known about this matrix.
static std::string expectation_text(const HeatmapSpec& spec, CellPosition cell) {
    const std::optional<BlockPosition> block = block_at(spec, cell);
    if (!block || spec.meanings.empty()) return "";
    const BlockMeaning* said = meaning_of(spec, *block);
    if (said != nullptr && !said->text.empty())
        return said->hatched ? said->text : "theory expects in this block: " + said->text;
    if (said != nullptr) return "theory expects here: 0 (" + said->brief + ")";
    const bool theory = any_of(spec.meanings, [](const BlockMeaning& meaning) { return !meaning.hatched; });
    return theory ? "theory expects 0 here; the block is not used" : "";
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
        if (contains(marks.cells, CellMarks::Cell{cell.row, cell.column}))
            reading.remarks.push_back((marks.chosen ? "chosen by " : "") + marks.name);
    if (std::abs(shown) > spec.limit * (1.0 + 1e-9))
        reading.remarks.push_back(
            fmt::format("beyond the colours, which end at {}{}", spec.magnitudes ? "" : "±", readout(spec.limit)));
    return reading;
}

// The bar over x, or the point nearest to x; x.size() where no bar stands.
static size_t index_at(const Series& series, const std::vector<double>& x, double at) {
    if (series.bars) {
        const auto above = static_cast<size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
        return above == 0 || above >= x.size() ? x.size() : above - 1;
    }
    return static_cast<size_t>(std::find(x.begin(), x.end(), at) - x.begin());
}

// The same for a scatter, in which several points may stand over one x: the one at the pointer.
static size_t index_at(const PlotSpec& spec, size_t i, const SeriesShape& shape, const PlotReading& reading) {
    if (spec.series[i].points && reading.nearest && reading.nearest->series == i)
        for (size_t at = 0; at < std::min(shape.x.size(), shape.center.size()); ++at)
            if (shape.x[at] == reading.nearest->x && shape.center[at] == reading.nearest->y) return at;
    return index_at(spec.series[i], shape.x, reading.x);
}

static double nearest_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const auto& distance_of) {
    double best = kMissing;
    double distance = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < shapes.size(); ++i)
        for (const double x : shapes[i].x)
            if (const double apart = distance_of(x); !spec.series[i].trail && apart < distance) {
                distance = apart;
                best = x;
            }
    return best;
}

static std::vector<double> values_at(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, double x) {
    std::vector<double> values;
    for (size_t i = 0; i < shapes.size(); ++i) {
        const size_t index = index_at(spec.series[i], shapes[i].x, x);
        const bool read = !spec.series[i].trail && index < shapes[i].center.size();
        values.push_back(read ? shapes[i].center[index] : kMissing);
    }
    return values;
}

// Nobody can point at a point beside the axes.
static bool is_in_view(const PlotPlace& place, double x) {
    const double at = place.x.place(x);
    return at >= place.area.x - 1.0 && at <= place.area.right() + 1.0;
}

// Takes the point of a line that is nearer to the pointer than `reach` and what was found before.
static void look_near(const PlotPlace& place, Point pointer, double reach, size_t series, std::optional<size_t> seed,
                      const std::vector<double>& x, const std::vector<double>& y, std::optional<NearestPoint>& found) {
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        if (!is_in_view(place, x[i])) continue;
        const double limit = found ? found->distance : reach;
        const double across = place.x.place(x[i]) - pointer.x;
        if (!(std::abs(across) < limit)) continue;
        const double apart = std::hypot(across, place.y.place(y[i]) - pointer.y);
        if (apart < limit) found = NearestPoint{series, seed, x[i], y[i], apart};
    }
}

static bool has_bars(const PlotSpec& spec) {
    return any_of(spec.series, [](const Series& one) { return one.bars; });
}

std::string reading_text(const PlotSpec& spec, size_t i, const SeriesShape& shape, const PlotReading& reading) {
    if (spec.series[i].bars) {
        const size_t bin = index_at(spec.series[i], shape.x, reading.x);
        return readout(reading.values[i]) + " " + counted_as(spec.row_word) +
               (reading.values[i] == 1.0 ? " in " : "s in ") + readout(shape.x[bin]) + " .. " +
               readout(shape.x[bin + 1]);
    }
    const size_t at = index_at(spec, i, shape, reading);
    const Series& series = spec.series[i];
    std::string text = readout(reading.values[i]);
    if (at < series.details.labels.size())
        return fmt::format("{} ({}, {})", series.details.labels[at], readout(shape.x[at]), readout(shape.center[at]));
    if (!series.details.knows_x(at) || !series.details.knows_y(at)) text = "not determined";
    if (at < series.seeds.size()) text += fmt::format(",  {} {}", spec.row_word, series.seeds[at]);
    if (at < series.details.words.size()) text += ": " + series.details.words[at];
    if (at < shape.band_low.size()) {
        if (spec.spread == Spread::median || spec.series[i].share)
            text += "  [" + readout(shape.band_low[at]) + ", " + readout(shape.band_high[at]) + "]";
        else
            text += " ± " + readout((shape.band_high[at] - shape.band_low[at]) / 2);
    }
    if (at < shape.highlighted.size() && !std::isnan(shape.highlighted[at]))
        text +=
            ",  " + row_name(spec, static_cast<size_t>(spec.highlighted_seed)) + ": " + readout(shape.highlighted[at]);
    if (reading.nearest && reading.nearest->series == i && reading.nearest->seed)
        text += ",  " + row_name(spec, *reading.nearest->seed) + ": " + readout(reading.nearest->y);
    return text;
}

PlotReading read_at_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, double x) {
    PlotReading reading;
    reading.x = has_bars(spec) ? x : nearest_x(spec, shapes, [x](double at) { return std::abs(at - x); });
    reading.values = values_at(spec, shapes, reading.x);
    return reading;
}

std::optional<PlotReading> read_at(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                                   Point pointer, double reach) {
    if (has_bars(spec)) return read_at_x(spec, shapes, place.x.value(pointer.x));
    PlotReading reading;
    bool plane = false;
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (spec.series[i].trail) continue;
        plane = plane || !spec.series[i].details.words.empty();
        look_near(place, pointer, reach, i, std::nullopt, shapes[i].x, shapes[i].center, reading.nearest);
        for (size_t seed = 0; seed < shapes[i].seeds.size(); ++seed)
            look_near(place, pointer, reach, i, seed, shapes[i].x, shapes[i].seeds[seed], reading.nearest);
    }
    if (plane && !reading.nearest) return std::nullopt;  // points that say something are read one by one
    reading.x = reading.nearest ? reading.nearest->x : nearest_x(spec, shapes, [&](double x) {
        return is_in_view(place, x) ? std::abs(place.x.place(x) - pointer.x) : kMissing;
    });
    if (std::isnan(reading.x)) return std::nullopt;
    reading.values = values_at(spec, shapes, reading.x);
    if (reading.nearest && spec.series[reading.nearest->series].points)
        reading.values[reading.nearest->series] = reading.nearest->y;
    return reading;
}

std::string reading_of_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotReading& reading) {
    if (reading.nearest) {
        const size_t i = reading.nearest->series;
        if (!spec.series[i].details.knows_x(index_at(spec, i, shapes[i], reading))) return "not determined";
    }
    return readout(reading.x);
}

}  // namespace emergence
