// The numbers of a run and of one seed.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/array.h"
#include "core/base/statistics.h"
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
    const bool known =
        std::any_of(table.begin(), table.end(), [&](const MetricInfo& one) { return one.name == metric.name; });
    if (!known || seed >= static_cast<size_t>(run.history->num_seeds())) return kMissing;
    const std::vector<double>& steps = run.history->steps();
    const std::vector<double>& column = run.history->column(metric.name, static_cast<int>(seed));
    const auto place_of = [&](auto step) { return static_cast<size_t>(step - steps.begin()); };
    const size_t end = place_of(std::upper_bound(steps.begin(), steps.end(), static_cast<double>(run.snapshot->step)));
    using When = Quantity::When;
    if (metric.when == When::at_greatest) {
        const auto best =
            run.history->best_point(metric.products, static_cast<int>(seed), run.snapshot->step).value_or(0);
        return best < end ? column[best] : kMissing;
    }
    if (metric.when == When::last) {
        for (size_t row = end; row-- > 0;)
            if (!std::isnan(column[row])) return column[row];
        return kMissing;
    }
    const double last = end == 0 ? 0.0 : steps[end - 1];
    const double from = metric.when == When::at_share ? metric.number * last : metric.number;
    const size_t begin = metric.when == When::first ? 0 : place_of(std::lower_bound(steps.begin(), steps.end(), from));
    for (size_t row = begin; row < end; ++row)
        if (!std::isnan(column[row])) return column[row];
    return kMissing;
}

// The place of the x at which a curve is read; the nearest.
size_t place_on(const Quantity& curve, const std::vector<double>& x) {
    using When = Quantity::When;
    if (curve.when == When::first) return 0;
    if (curve.when == When::last) return x.size() - 1;
    const double at = curve.when == When::at_share ? curve.number * x.back() : curve.number;
    return static_cast<size_t>(
        std::min_element(x.begin(), x.end(), [at](double a, double b) { return std::abs(a - at) < std::abs(b - at); }) -
        x.begin());
}

// A curve of one row, or a level, is the same for all seeds.
double curve_value(const Snapshot& snapshot, const Quantity& curve, size_t seed) {
    const Series* series = curve_of(curve, snapshot);
    if (series == nullptr) {
        if (const PlotSpec* plot = plot_of(curve, snapshot))
            for (const ReferenceLine& level : plot->lines)
                if (level.label == curve.part && !level.vertical) return level.value;
        return kMissing;
    }
    const size_t row = series->rows.size() == 1 ? 0 : seed;
    if (series->x.empty() || row >= series->rows.size()) return kMissing;
    const size_t place = place_on(curve, series->x);
    return place < series->rows[row].size() ? series->rows[row][place] : kMissing;
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

const PlotSpec* plot_of(const Quantity& curve, const Snapshot& snapshot) {
    const auto found = std::find_if(snapshot.plots.begin(), snapshot.plots.end(),
                                    [&](const PlotSpec& plot) { return plot.id == curve.name; });
    return found == snapshot.plots.end() ? nullptr : &*found;
}

const Series* curve_of(const Quantity& curve, const Snapshot& snapshot) {
    const PlotSpec* plot = plot_of(curve, snapshot);
    const Series* begins = nullptr;
    if (plot == nullptr) return nullptr;
    for (const Series& series : plot->series) {
        if (series.name == curve.part) return &series;
        if (begins == nullptr && series.name.starts_with(curve.part)) begins = &series;
    }
    return begins;
}

size_t own_rows(const Quantity& curve, const RunView& run) {
    if (curve.kind != QuantityKind::curve || run.snapshot == nullptr) return 0;
    const PlotSpec* plot = plot_of(curve, *run.snapshot);
    if (plot == nullptr) return 0;
    size_t rows = 0;
    for (const Series& series : plot->series) rows = std::max(rows, series.rows.size());
    if (run.drawn) return rows;
    return rows > 1 && rows != run.snapshot->seeds.size() && plot->row_word != "seed" ? rows : 0;
}

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
    if (own_rows(quantity, run) > 0) return curve_value(snapshot, quantity, seed);
    if (seed >= snapshot.seeds.size()) return kMissing;
    const SeedStatus& status = snapshot.seeds[seed];
    if (quantity.kind == QuantityKind::failed) return status.failed ? 1.0 : 0.0;
    if (quantity.kind == QuantityKind::emerged) return status.emerged ? 1.0 : 0.0;
    if (quantity.kind == QuantityKind::emerged_function && status.judged && status.judged->own)
        return status.judged->since >= 0 ? 1.0 : 0.0;
    if (status.failed) return kMissing;
    switch (quantity.kind) {
        case QuantityKind::emerged_function:
            return kMissing;
        case QuantityKind::emerged_at:
            return status.emerged ? static_cast<double>(status.emerged_at) : kMissing;
        case QuantityKind::metric:
            return run.history == nullptr ? kMissing : metric_value(run, quantity, seed);
        case QuantityKind::curve:
            return curve_value(snapshot, quantity, seed);
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
        return quantity.number >= 0 ? std::min(static_cast<size_t>(quantity.number), runs.size()) : runs.size();
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const RunView& run) { return run.label == quantity.name; });
    return static_cast<size_t>(found - runs.begin());
}

bool same_networks(const RunView& a, const RunView& b) {
    if (a.snapshot == nullptr || b.snapshot == nullptr || a.drawn || b.drawn) return false;
    const Snapshot &one = *a.snapshot, &other = *b.snapshot;
    if (one.experiment != other.experiment || one.step != other.step) return false;
    const FieldTable& fields = one.settings.fields();
    return std::all_of(fields.begin(), fields.end(), [&](const FieldInfo& field) {
        return field.role == FieldRole::first_seed || field.role == FieldRole::seed_count ||
               (other.settings.has(field.name) && one.settings.value(field.name) == other.settings.value(field.name));
    });
}

bool has_reduction(const Quantity& quantity) {
    return quantity.kind == QuantityKind::reduction || quantity.kind == QuantityKind::over_runs ||
           std::any_of(quantity.operands.begin(), quantity.operands.end(), has_reduction);
}

bool is_of_seeds(const Quantity& quantity) {
    if (quantity.kind == QuantityKind::reduction) return false;
    return is_read_of_seeds(quantity.kind) ||
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
