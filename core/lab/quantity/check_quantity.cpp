// check_quantity(): whether everything that a quantity names is there.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/quantity/leaf.h"
#include "core/lab/quantity/parser.h"

namespace emergence {
namespace {

template <class Things, class Name>
std::vector<std::string> names_of(const Things& things, const Name& name) {
    std::vector<std::string> names;
    for (const auto& thing : things) names.push_back(name(thing));
    return names;
}

void check_name(const char* kind, const std::string& name, const std::vector<std::string>& known) {
    if (known.empty()) throw InputError(fmt::format("unknown {} '{}': the run has none", kind, name));
    if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError(unknown_name(kind, name, known, "'emergence-cli read RUN' lists all"));
}

void check_block(const char* kind, const std::string& label, const std::vector<Block>& blocks) {
    if (!label.empty()) check_name(kind, label, names_of(blocks, [](const Block& one) { return one.label; }));
}

void check_matrix(const Quantity& leaf, const Snapshot& snapshot) {
    check_name("matrix", leaf.name, names_of(snapshot.matrices, [](const NamedMatrix& one) { return one.name; }));
    const NamedMatrix& matrix = *find_matrix(snapshot, leaf.name);
    if (leaf.kind != QuantityKind::entry) {
        check_block("block of rows", leaf.part, matrix.row_blocks);
        check_block("block of columns", leaf.columns, matrix.column_blocks);
        return;
    }
    for (const Table& table : matrix.seeds)
        for (const auto& [what, at, size] :
             {std::tuple("row", leaf.row, table.rows), std::tuple("column", leaf.column, table.columns)})
            if (at >= size || at < -size)
                throw InputError(fmt::format("{} {}: matrix {} has {} {}s. Use 0 to {}, or -1 for the last", what, at,
                                             leaf.name, size, what, size - 1));
}

void check_curve(const Quantity& leaf, const Snapshot& snapshot) {
    check_name("plot", leaf.name, names_of(snapshot.plots, [](const PlotSpec& one) { return one.id; }));
    if (curve_of(leaf, snapshot) != nullptr) return;
    std::vector<std::string> curves;
    const PlotSpec& plot = *plot_of(leaf, snapshot);
    for (const Series& series : plot.series) curves.push_back(series.name);
    for (const ReferenceLine& level : plot.lines) curves.push_back(level.label);
    check_name("curve", leaf.part, curves);
}

void check_scene_number(const Quantity& leaf, const Snapshot& snapshot) {
    check_name("scene", leaf.name, names_of(snapshot.scenes, [](const Scene& one) { return one.id; }));
    std::vector<std::string> numbers;
    for (const Scene& scene : snapshot.scenes)
        if (scene.id == leaf.name && scene.moments && !scene.moments->empty())
            for (const DrawnNumber& number : scene.moments->back().numbers) numbers.push_back(number.name);
    check_name("number of the drawing", leaf.part, numbers);
}

void check_field(const Quantity& leaf, const Settings& settings) {
    check_name("setting", leaf.name, names_of(settings.fields(), [](const FieldInfo& one) { return one.name; }));
    if (std::holds_alternative<std::string>(settings.value(leaf.name)))
        throw InputError(fmt::format("setting '{}' is a text, not a number", leaf.name));
}

void check_leaf(const Quantity& leaf, const RunView& run) {
    if (run.snapshot == nullptr) return;
    const Snapshot& snapshot = *run.snapshot;
    switch (leaf.kind) {
        case QuantityKind::field:
            return check_field(leaf, snapshot.settings);
        case QuantityKind::scalar:
            return check_name("scalar", leaf.name,
                              names_of(snapshot.scalars, [](const Scalar& one) { return one.name; }));
        case QuantityKind::scene_number:
            return check_scene_number(leaf, snapshot);
        case QuantityKind::emerged:
        case QuantityKind::emerged_at:
        case QuantityKind::emerged_function:
            if (snapshot.emergence_rule.empty())
                throw InputError(fmt::format("experiment {} has no rule of emergence", snapshot.experiment));
            return;
        case QuantityKind::metric: {
            std::vector<std::string> asked = leaf.products;
            asked.push_back(leaf.name);
            for (const std::string& name : asked)
                check_name("metric", name,
                           names_of(run.history->table(), [](const MetricInfo& one) { return one.name; }));
            return;
        }
        case QuantityKind::curve:
            return check_curve(leaf, snapshot);
        case QuantityKind::norm:
        case QuantityKind::block:
        case QuantityKind::trace:
        case QuantityKind::entry:
            return check_matrix(leaf, snapshot);
        default:
            return;
    }
}

void check_in(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run) {
    try {
        if (quantity.kind == QuantityKind::run) {
            of_run = place_of_run(quantity, runs);
            if (of_run == runs.size() && !quantity.name.empty())
                throw InputError(unknown_name("run", quantity.name,
                                              names_of(runs, [](const RunView& run) { return run.label; }),
                                              "the runs are named where they are given"));
            if (of_run == runs.size())
                throw InputError(fmt::format("run {}: there {} {}, counted from 0", quantity.number,
                                             runs.size() == 1 ? "is" : "are", runs.size()));
        }
        if (quantity.operands.empty()) check_leaf(quantity, runs[of_run]);
    } catch (const InputError& error) {
        throw InputError(fmt::format("column {}: {}", quantity.at, error.what()));
    }
    for (const Quantity& operand : quantity.operands)
        for (size_t run = of_run; run < (quantity.kind == QuantityKind::over_runs ? runs.size() : of_run + 1); ++run)
            if (run == of_run || !runs[run].drawn) check_in(operand, runs, run);
}

}  // namespace

void check_quantity(const Quantity& quantity, const std::vector<RunView>& runs) {
    try {
        check_in(quantity, runs, 0);
    } catch (const InputError& error) {
        if (quantity.text.empty()) throw;
        throw quoting(quantity.text, error);
    }
}

}  // namespace emergence
