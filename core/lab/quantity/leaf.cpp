// The numbers of a run and of one seed.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/extremes.h"
#include "core/base/types.h"
#include "core/lab/quantity/leaf.h"

namespace emergence {
namespace {

double number_of_field(const Settings& settings, const std::string& name) {
    if (!settings.has(name)) return kMissing;
    const FieldValue& value = settings.value(name);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    return kMissing;
}

double named_scalar(const Snapshot& snapshot, const std::string& name) {
    for (const Scalar& scalar : snapshot.scalars)
        if (scalar.name == name) return scalar.value;
    return kMissing;
}

double scene_number(const Snapshot& snapshot, const std::string& scene, const std::string& name) {
    for (const Scene& one : snapshot.scenes) {
        if (one.id != scene || !one.moments || one.moments->empty()) continue;
        for (const DrawnNumber& number : one.moments->back().numbers)
            if (number.name == name) return number.value;
    }
    return kMissing;
}

// Up to the snapshot's step.
double metric_value(const RunView& run, const Quantity& metric, size_t seed) {
    const MetricTable& table = run.history->table();
    const bool known = std::any_of(table.begin(), table.end(),
                                   [&](const MetricInfo& one) { return one.name == metric.name; });
    if (!known || seed >= static_cast<size_t>(run.history->num_seeds())) return kMissing;
    const std::vector<double>& steps = run.history->steps();
    const std::vector<double>& column = run.history->column(metric.name, static_cast<int>(seed));
    const auto place_of = [&](auto step) { return static_cast<size_t>(step - steps.begin()); };
    const size_t end =
        place_of(std::upper_bound(steps.begin(), steps.end(), static_cast<double>(run.snapshot->step)));
    if (metric.when == Quantity::When::last) {
        for (size_t row = end; row-- > 0;)
            if (!std::isnan(column[row])) return column[row];
        return kMissing;
    }
    const size_t begin = metric.when == Quantity::When::first
                             ? 0
                             : place_of(std::lower_bound(steps.begin(), steps.end(), metric.number));
    for (size_t row = begin; row < end; ++row)
        if (!std::isnan(column[row])) return column[row];
    return kMissing;
}

// At the nearest x. A curve of one row is the same for all seeds.
double curve_value(const RunView& run, const Quantity& curve, size_t seed) {
    for (const PlotSpec& plot : run.snapshot->plots) {
        if (plot.id != curve.name) continue;
        for (const Series& series : plot.series) {
            if (series.name != curve.part || series.x.empty()) continue;
            size_t nearest = 0;
            for (size_t i = 1; i < series.x.size(); ++i)
                if (std::abs(series.x[i] - curve.number) < std::abs(series.x[nearest] - curve.number))
                    nearest = i;
            const size_t row = series.rows.size() == 1 ? 0 : seed;
            const bool has = row < series.rows.size() && nearest < series.rows[row].size();
            return has ? series.rows[row][nearest] : kMissing;
        }
    }
    return kMissing;
}

// Where a block begins, and its size; the whole side for "".
std::optional<std::pair<int, int>> side_of_block(const std::vector<Block>& blocks, const std::string& label,
                                                 int whole) {
    if (label.empty()) return std::pair(0, whole);
    int first = 0;
    for (const Block& block : blocks) {
        if (block.label == label) return std::pair(first, std::min(block.size, whole - first));
        first += block.size;
    }
    return std::nullopt;
}

double matrix_value(const RunView& run, const Quantity& quantity, size_t seed) {
    const NamedMatrix* matrix = find_matrix(*run.snapshot, quantity.name);
    if (matrix == nullptr || seed >= matrix->seeds.size()) return kMissing;
    const Table& table = matrix->seeds[seed];
    if (quantity.kind == QuantityKind::entry) {
        const int row = quantity.row < 0 ? table.rows + quantity.row : quantity.row;
        const int column = quantity.column < 0 ? table.columns + quantity.column : quantity.column;
        const bool inside = row >= 0 && row < table.rows && column >= 0 && column < table.columns;
        return inside ? table(row, column) : kMissing;
    }
    const auto rows = side_of_block(matrix->row_blocks, quantity.part, table.rows);
    const auto columns = side_of_block(matrix->column_blocks, quantity.columns, table.columns);
    if (!rows || !columns || rows->second <= 0 || columns->second <= 0) return kMissing;
    double sum = 0.0;
    for (int i = 0; i < rows->second; ++i)
        for (int j = 0; j < columns->second; ++j) {
            const double value = table(rows->first + i, columns->first + j);
            if (quantity.kind == QuantityKind::norm) sum += value * value;
            if (quantity.kind == QuantityKind::block) sum += std::abs(value);
            if (quantity.kind == QuantityKind::trace && i == j) sum += value;
        }
    if (quantity.kind == QuantityKind::norm) return std::sqrt(sum);
    return quantity.kind == QuantityKind::block ? sum / (rows->second * columns->second) : sum;
}

}  // namespace

double leaf_value(const Quantity& quantity, const RunView& run, size_t seed) {
    if (quantity.kind == QuantityKind::number) return quantity.number;
    if (run.snapshot == nullptr) return kMissing;
    const Snapshot& snapshot = *run.snapshot;
    switch (quantity.kind) {
        case QuantityKind::step:
            return static_cast<double>(snapshot.step);
        case QuantityKind::seeds:
            return static_cast<double>(snapshot.seeds.size());
        case QuantityKind::field:
            return number_of_field(snapshot.settings, quantity.name);
        case QuantityKind::scalar:
            return named_scalar(snapshot, quantity.name);
        case QuantityKind::scene_number:
            return scene_number(snapshot, quantity.name, quantity.part);
        default:
            break;
    }
    if (seed >= snapshot.seeds.size()) return kMissing;
    const SeedStatus& status = snapshot.seeds[seed];
    if (quantity.kind == QuantityKind::failed) return status.failed ? 1.0 : 0.0;
    if (quantity.kind == QuantityKind::emerged) return status.emerged ? 1.0 : 0.0;
    if (status.failed) return kMissing;
    switch (quantity.kind) {
        case QuantityKind::emerged_at:
            return status.emerged ? static_cast<double>(status.emerged_at) : kMissing;
        case QuantityKind::metric:
            return run.history == nullptr ? kMissing : metric_value(run, quantity, seed);
        case QuantityKind::curve:
            return curve_value(run, quantity, seed);
        default:
            return matrix_value(run, quantity, seed);
    }
}

double combined(QuantityKind kind, double left, double right) {
    switch (kind) {
        case QuantityKind::plus:
            return left + right;
        case QuantityKind::minus:
            return left - right;
        case QuantityKind::times:
            return left * right;
        case QuantityKind::over:
            return left / right;
        case QuantityKind::least:
            return smaller(left, right);
        case QuantityKind::greatest:
            return larger(left, right);
        case QuantityKind::absolute:
            return std::abs(left);
        default:
            break;
    }
    if (std::isnan(left) || std::isnan(right)) return kMissing;
    const bool holds = kind == QuantityKind::less       ? left < right
                       : kind == QuantityKind::at_most  ? left <= right
                       : kind == QuantityKind::more     ? left > right
                       : kind == QuantityKind::at_least ? left >= right
                                                        : left == right;
    return holds ? 1.0 : 0.0;
}

size_t place_of_run(const Quantity& quantity, const std::vector<RunView>& runs) {
    if (quantity.name.empty())
        return quantity.number >= 0 ? std::min(static_cast<size_t>(quantity.number), runs.size())
                                    : runs.size();
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [&](const RunView& run) { return run.label == quantity.name; });
    return static_cast<size_t>(found - runs.begin());
}

bool has_reduction(const Quantity& quantity) {
    return quantity.kind == QuantityKind::reduction || quantity.kind == QuantityKind::over_runs ||
           std::any_of(quantity.operands.begin(), quantity.operands.end(), has_reduction);
}

bool is_of_seeds(const Quantity& quantity) {
    if (quantity.kind == QuantityKind::reduction) return false;
    return (quantity.kind >= QuantityKind::emerged && quantity.kind <= QuantityKind::entry) ||
           std::any_of(quantity.operands.begin(), quantity.operands.end(), is_of_seeds);
}

std::vector<const Quantity*> leaves(const Quantity& quantity) {
    if (quantity.operands.empty()) return {&quantity};
    std::vector<const Quantity*> found;
    for (const Quantity& operand : quantity.operands)
        for (const Quantity* leaf : leaves(operand)) found.push_back(leaf);
    return found;
}

Quantity metric_quantity(std::string name) { return {.kind = QuantityKind::metric, .name = std::move(name)}; }

}  // namespace emergence
