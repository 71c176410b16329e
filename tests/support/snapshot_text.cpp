#include "tests/support/snapshot_text.h"

#include <algorithm>

#include "core/lab/views/run_views.h"

namespace emergence::testing {
namespace {

// SnapshotLines that begin with the path of what they tell: "plots/regret/LinUCB/row 3: 0 1.5 nan".
class SnapshotLines {
  public:
    template <class... Values>
    void add(const std::string& path, const Values&... values) {
        std::string line = path + ":";
        ((line += " " + text(values)), ...);
        all.push_back(std::move(line));
    }
    std::vector<std::string> all;

  private:
    static std::string text(const std::string& value) { return value; }
    static std::string text(const char* value) { return value; }
    static std::string text(bool value) { return value ? "true" : "false"; }
    static std::string text(double value) { return to_text(FieldValue(value)); }
    static std::string text(float value) { return to_text(FieldValue(double{value})); }
    static std::string text(const std::optional<double>& value) { return value ? text(*value) : "none"; }
    template <class Whole>
    requires std::is_integral_v<Whole>
    static std::string text(Whole value) { return std::to_string(value); }
    template <class Value>
    static std::string text(const std::vector<Value>& values) {
        std::string joined;
        for (const Value& value : values) joined += text(value) + " ";
        return joined;
    }
    static std::string text(const std::vector<bool>& values) {
        std::string joined;
        for (const bool value : values) joined += text(value) + " ";
        return joined;
    }
    static std::string text(const DrawnPlace& place) { return text(place.first) + "," + text(place.second); }
    static std::string text(const Block& block) { return block.label + "*" + text(block.size); }
    static std::string text(const CellMarks::Cell& cell) { return text(cell.row) + "," + text(cell.column); }
};

void add_axis(SnapshotLines& lines, const std::string& path, const AxisSpec& axis) {
    lines.add(path, axis.label, axis.unit, static_cast<int>(axis.scale), axis.minimum, axis.maximum, axis.cut,
              axis.whole, axis.ticks);
}

void add_plot(SnapshotLines& lines, const std::string& in, const PlotSpec& plot) {
    const std::string path = in + "/" + plot.id;
    lines.add(path, plot.title, static_cast<int>(plot.spread), plot.row_word, plot.seeds, plot.leads);
    lines.add(path + "/text", plot.readout, plot.note);
    add_axis(lines, path + "/x", plot.x);
    add_axis(lines, path + "/y", plot.y);
    for (const Series& series : plot.series) {
        const std::string at = path + "/" + series.name;
        lines.add(at, series.color, series.dashed, series.hidden, series.share, series.bars, series.points,
                  series.seeds);
        lines.add(at + "/x", series.x);
        for (const auto& row : series.rows) lines.add(at + "/row", row);
    }
    for (const ReferenceLine& line : plot.lines) lines.add(path + "/line", line.label, line.value, line.vertical);
    for (const ShadedRange& range : plot.shaded) lines.add(path + "/range", range.label, range.from, range.to);
}

void add_matrix(SnapshotLines& lines, const NamedMatrix& matrix) {
    const std::string path = "matrices/" + matrix.name;
    lines.add(path, matrix.title, matrix.help, matrix.unit, matrix.alignment_note, matrix.may_scale,
              matrix.nonnegative);
    lines.add(path + "/blocks", matrix.row_blocks, "by", matrix.column_blocks, matrix.row_word, matrix.column_word);
    for (const Table& table : matrix.seeds) lines.add(path + "/seed", table.rows, table.columns, table.values);
    lines.add(path + "/signs", matrix.signs);
    if (matrix.target) lines.add(path + "/target", matrix.target_name, matrix.target->values);
    lines.add(path + "/initial", matrix.initial_products.values);
    for (const BlockMeaning& meaning : matrix.meanings)
        lines.add(path + "/meaning", meaning.row_block, meaning.column_block, meaning.text, meaning.hatched,
                  meaning.brief);
    for (const CellMarks& marks : matrix.marks) lines.add(path + "/marks", marks.name, marks.color, marks.cells);
}

void add_scene(SnapshotLines& lines, const Scene& scene) {
    const std::string path = "scenes/" + scene.id;
    lines.add(path, scene.title, scene.note, scene.first_time, scene.chosen_by);
    for (const DrawingSpec& moment : *scene.moments) {
        lines.add(path + "/moment", moment.title, moment.left, moment.right, moment.bottom, moment.top, moment.readout,
                  moment.note);
        for (const DrawnShape& shape : moment.shapes)
            lines.add(path + "/shape", static_cast<int>(shape.kind), shape.places, shape.color, shape.radius,
                      shape.width, shape.dashed, shape.text);
        for (const DrawnNumber& number : moment.numbers)
            lines.add(path + "/number", number.name, number.value, number.unit);
        for (const DrawnHandle& handle : moment.handles)
            lines.add(path + "/handle", handle.name, handle.help, handle.field, handle.value, handle.changed);
    }
    for (const PlotSpec& plot : scene.plots) add_plot(lines, path, plot);
}

}  // namespace

std::vector<std::string> lines_of(const Snapshot& snapshot) {
    SnapshotLines lines;
    lines.add("snapshot", snapshot.experiment, snapshot.step, snapshot.step_unit, snapshot.seed_word,
              snapshot.evaluated);
    lines.add("headline", snapshot.headline);
    for (const SeedStatus& seed : snapshot.seeds)
        lines.add("seeds", seed.seed, seed.step, seed.failed, seed.reason, seed.emerged, seed.emerged_at,
                  seed.lacks.empty() ? "" : words_of(seed.lacks.front()), seed.judged ? seed.judged->sentence : "");
    for (const Scalar& scalar : snapshot.scalars)
        lines.add("scalars/" + scalar.name, scalar.label, scalar.value, scalar.unit, scalar.help, scalar.counts_seeds);
    for (const Lamp& lamp : snapshot.lamps) lines.add("lamps/" + lamp.name, lamp.label, lamp.help, lamp.lit);
    for (const NamedMatrix& matrix : snapshot.matrices) add_matrix(lines, matrix);
    for (const Formula& formula : snapshot.formulas)
        for (const FormulaTerm& term : formula.terms) lines.add("formulas/" + formula.name, term.text, term.meaning);
    for (const PlotSpec& plot : snapshot.plots) add_plot(lines, "plots", plot);
    for (const Scene& scene : snapshot.scenes) add_scene(lines, scene);
    lines.add("stepping", snapshot.stepping.field, snapshot.stepping.first, snapshot.stepping.last);
    lines.add("counted", snapshot.counted.number, snapshot.counted.what);
    for (const FieldRange& range : snapshot.field_ranges)
        lines.add("ranges", range.field, range.label, range.from, range.to);
    lines.add("notices", snapshot.notices);
    for (const auto& weights : snapshot.weights)
        std::visit(
            [&](const auto& values) { lines.add("weights/" + weights.first, weights.second.shape, "holds", values); },
            weights.second.values);
    return lines.all;
}

std::vector<std::string> lines_of(const std::vector<MetricRow>& rows) {
    SnapshotLines lines;
    for (const MetricRow& row : rows) lines.add("row", row.step, row.seed_index, row.values);
    return lines.all;
}

std::string difference_of(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    const size_t both = std::min(a.size(), b.size());
    size_t at = 0;
    while (at < both && a[at] == b[at]) ++at;
    if (at == both && a.size() == b.size()) return "";
    return (at < a.size() ? a[at] : "(end)") + "\n" + (at < b.size() ? b[at] : "(end)");
}

}  // namespace emergence::testing
