// The numbers of a run and of one seed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {
namespace {

// The thing of this name. Throws InputError with the known names.
template <class Thing, class Name>
const Thing& with_name(const char* kind, const std::string& name, const std::vector<Thing>& things,
                       const Name& name_of) {
    const auto found = find_if(things, [&](const Thing& thing) {
        const std::string& known = std::invoke(name_of, thing);
        return known == name || ascii_text(known) == name;  // typed without Greek letters
    });
    if (found != things.end()) return *found;
    const std::vector<std::string> known = mapped(things, name_of);
    throw InputError(known.empty() ? fmt::format("the run has no {} '{}'", kind, name)
                                   : unknown_name(kind, name, known, "'emergence-cli read RUN' lists all"));
}

// Each of these throws InputError if the run has no such name, and is NaN if the seed has no value.

double value_of_setting(const Settings& settings, const std::string& name) {
    (void)with_name("setting", name, settings.fields(), &FieldInfo::name);
    if (std::holds_alternative<std::string>(settings.value(name)))
        throw InputError("setting '{}' is a text, not a number", name);
    return number_of_field(settings.value(name));
}

double scene_value(const Snapshot& snapshot, const Quantity& leaf) {
    const Scene& scene = with_name("scene", leaf.name, snapshot.scenes, &Scene::id);
    const bool drawn = scene.moments && !scene.moments->empty();
    const auto numbers = drawn ? scene.moments->back().numbers : std::vector<DrawnNumber>();
    return with_name("number of the drawing", leaf.part, numbers, &DrawnNumber::name).value;
}

// Reads the metric up to the snapshot's step.
double metric_value(const RunView& run, const Quantity& metric, size_t seed) {
    const MetricTable& table = run.history->table();
    for (const std::string& name : metric.products) (void)with_name("metric", name, table, &MetricInfo::name);
    (void)with_name("metric", metric.name, table, &MetricInfo::name);
    if (seed >= static_cast<size_t>(run.history->num_seeds())) return kMissing;
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

// The place of the x that is nearest to where the curve is read.
size_t place_on(const Quantity& curve, const std::vector<double>& x) {
    using When = Quantity::When;
    if (curve.when == When::first) return 0;
    if (curve.when == When::last) return x.size() - 1;
    const double at = curve.when == When::at_share ? curve.number * x.back() : curve.number;
    return static_cast<size_t>(
        std::min_element(x.begin(), x.end(), [at](double a, double b) { return std::abs(a - at) < std::abs(b - at); }) -
        x.begin());
}

// The series of this name; if there is none, the first one that begins so.
const Series* series_named(const PlotSpec& plot, const std::string& name) {
    if (const Series* found = find_named(plot.series, name)) return found;
    return find_by(
        plot.series, [&](const Series& series) { return series.name.starts_with(name); }, true);
}

// A curve with one row, and a level, have the same value for all seeds.
double curve_value(const Snapshot& snapshot, const Quantity& curve, size_t seed) {
    const PlotSpec& plot = with_name("plot", curve.name, snapshot.plots, &PlotSpec::id);
    const Series* series = series_named(plot, curve.part);
    if (series == nullptr) {
        std::vector<std::string> names = mapped(plot.series, &Series::name);
        for (const ReferenceLine& level : plot.lines) {
            if (level.label == curve.part) return level.vertical ? kMissing : level.value;
            names.push_back(level.label);
        }
        (void)with_name("curve", curve.part, names, std::identity());
    }
    const size_t row = series->rows.size() == 1 ? 0 : seed;
    if (series->x.empty() || row >= series->rows.size()) return kMissing;
    const size_t place = place_on(curve, series->x);
    return place < series->rows[row].size() ? series->rows[row][place] : kMissing;
}

// Where a block begins, and its size; the whole side for "".
std::pair<int, int> side_of_block(const char* kind, const std::vector<Block>& blocks, const std::string& label,
                                  int whole) {
    if (label.empty()) return {0, whole};
    const Block& found = with_name(kind, label, blocks, &Block::label);
    int first = 0;
    for (const Block* before = blocks.data(); before != &found; ++before) first += before->size;
    return {first, std::min(found.size, whole - first)};
}

// The row or column, counted from the end if it is negative.
int place_in_matrix(const char* what, int at, int size, const std::string& matrix) {
    if (at >= size || at < -size)
        throw InputError("{} {}: matrix {} has {} {}s. Use 0 to {}, or -1 for the last", what, at, matrix, size, what,
                         size - 1);
    return at < 0 ? size + at : at;
}

double entry_value(const NamedMatrix& matrix, const Quantity& entry, size_t seed) {
    if (matrix.seeds.empty()) return kMissing;
    const Table& table = matrix.seeds[std::min(seed, matrix.seeds.size() - 1)];  // all have one size
    const int row = place_in_matrix("row", entry.row, table.rows, matrix.name);
    const int column = place_in_matrix("column", entry.column, table.columns, matrix.name);
    return seed < matrix.seeds.size() ? table(row, column) : kMissing;
}

double matrix_value(const Snapshot& snapshot, const Quantity& quantity, size_t seed) {
    const NamedMatrix& matrix = with_name("matrix", quantity.name, snapshot.matrices, &NamedMatrix::name);
    if (quantity.kind == QuantityKind::entry) return entry_value(matrix, quantity, seed);
    const Table none;
    const Table& table = seed < matrix.seeds.size() ? matrix.seeds[seed] : none;
    const auto [row, rows] = side_of_block("block of rows", matrix.row_blocks, quantity.part, table.rows);
    const auto [column, columns] =
        side_of_block("block of columns", matrix.column_blocks, quantity.columns, table.columns);
    if (rows <= 0 || columns <= 0) return kMissing;
    double sum = 0.0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            const double value = table(row + i, column + j);
            if (quantity.kind == QuantityKind::norm) sum += value * value;
            if (quantity.kind == QuantityKind::block) sum += std::abs(value);
            if (quantity.kind == QuantityKind::trace && i == j) sum += value;
        }
    if (quantity.kind == QuantityKind::norm) return std::sqrt(sum);
    return quantity.kind == QuantityKind::block ? sum / (rows * columns) : sum;
}

// The place of the run that `quantity`, of kind run, names. Throws InputError if no run has that name.
size_t place_of_run(const Quantity& quantity, const std::vector<RunView>& runs) {
    if (quantity.name.empty() && quantity.number >= 0 && quantity.number < static_cast<double>(runs.size()))
        return static_cast<size_t>(quantity.number);
    if (quantity.name.empty())
        throw InputError("run {}: there {} {}, counted from 0", quantity.number, runs.size() == 1 ? "is" : "are",
                         runs.size());
    const std::vector<std::string> labels = mapped(runs, &RunView::label);
    const auto found = std::find(labels.begin(), labels.end(), quantity.name);
    if (found != labels.end()) return static_cast<size_t>(found - labels.begin());
    throw InputError(unknown_name("run", quantity.name, labels, "the runs are named where they are given"));
}

// The x of the first name that is read at x.
std::vector<double> all_x(const Quantity& quantity, const std::vector<RunView>& runs) {
    const RunView& run = runs[quantity.in_run];
    if (run.snapshot == nullptr) return {};
    if (quantity.when == Quantity::When::at_x && quantity.kind == QuantityKind::curve) {
        const PlotSpec* plot = find_by(run.snapshot->plots, &PlotSpec::id, quantity.name);
        const Series* curve = plot == nullptr ? nullptr : series_named(*plot, quantity.part);
        return curve == nullptr ? std::vector<double>() : curve->x;
    }
    if (quantity.when == Quantity::When::at_x) {
        std::vector<double> steps = run.history == nullptr ? std::vector<double>() : run.history->steps();
        std::erase_if(steps, [&](double step) { return step > static_cast<double>(run.snapshot->step); });
        return steps;
    }
    for (const Quantity& operand : quantity.operands)
        if (std::vector<double> found = all_x(operand, runs); !found.empty()) return found;
    return {};
}

Quantity at_x(Quantity quantity, double x) {
    if (quantity.when == Quantity::When::at_x) {
        quantity.when = Quantity::When::at;
        quantity.number = x;
    }
    for (Quantity& operand : quantity.operands) operand = at_x(std::move(operand), x);
    return quantity;
}

}  // namespace

double number_of_field(const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
    const auto* number = std::get_if<double>(&value);
    return number != nullptr ? *number : kMissing;
}

size_t own_rows(const Quantity& curve, const RunView& run) {
    if (curve.kind != QuantityKind::curve || run.snapshot == nullptr) return 0;
    const PlotSpec* plot = find_by(run.snapshot->plots, &PlotSpec::id, curve.name);
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
    const SeedStatus* status = seed < snapshot.seeds.size() ? &snapshot.seeds[seed] : nullptr;
    const bool lives = status != nullptr && !status->failed;
    const QuantityKind kind = quantity.kind;
    if (kind == QuantityKind::step) return static_cast<double>(snapshot.step);
    if (kind == QuantityKind::seeds) return static_cast<double>(snapshot.seeds.size());
    if (kind == QuantityKind::field) return value_of_setting(snapshot.settings, quantity.name);
    if (kind == QuantityKind::scalar) return with_name("scalar", quantity.name, snapshot.scalars, &Scalar::name).value;
    if (kind == QuantityKind::scene_number) return scene_value(snapshot, quantity);
    if (is_of_status(kind) && status == nullptr) return kMissing;
    if (kind == QuantityKind::failed) return status->failed ? 1.0 : 0.0;
    if (kind == QuantityKind::emerged) return status->emerged ? 1.0 : 0.0;
    if (kind == QuantityKind::emerged_at)
        return lives && status->emerged ? static_cast<double>(status->emerged_at) : kMissing;
    const bool metric = kind == QuantityKind::metric, curve = kind == QuantityKind::curve;
    if (metric && run.history == nullptr) return kMissing;
    const double value = metric  ? metric_value(run, quantity, seed)
                         : curve ? curve_value(snapshot, quantity, seed)
                                 : matrix_value(snapshot, quantity, seed);
    return lives || (curve && own_rows(quantity, run) > 0) ? value : kMissing;
}

double combined(QuantityKind kind, double left, double right) {
    if (kind == QuantityKind::plus) return left + right;
    if (kind == QuantityKind::minus) return left - right;
    if (kind == QuantityKind::times) return left * right;
    if (kind == QuantityKind::over) return left / right;
    if (kind == QuantityKind::least) return smaller(left, right);
    if (kind == QuantityKind::greatest) return larger(left, right);
    if (kind == QuantityKind::absolute) return std::abs(left);
    if (std::isnan(left) || std::isnan(right)) return kMissing;
    const bool holds = kind == QuantityKind::less       ? left < right
                       : kind == QuantityKind::at_most  ? left <= right
                       : kind == QuantityKind::more     ? left > right
                       : kind == QuantityKind::at_least ? left >= right
                                                        : left == right;
    return holds ? 1.0 : 0.0;
}

bool same_networks(const RunView& a, const RunView& b) {
    if (a.snapshot == nullptr || b.snapshot == nullptr || a.drawn || b.drawn) return false;
    const Snapshot &one = *a.snapshot, &other = *b.snapshot;
    if (one.experiment != other.experiment || one.step != other.step) return false;
    const FieldTable& fields = one.settings.fields();
    return all_of(fields, [&](const FieldInfo& field) {
        return field.role == FieldRole::first_seed || field.role == FieldRole::seed_count ||
               (other.settings.has(field.name) && one.settings.value(field.name) == other.settings.value(field.name));
    });
}

bool has_reduction(const Quantity& quantity) {
    return quantity.kind == QuantityKind::reduction || quantity.kind == QuantityKind::over_runs ||
           any_of(quantity.operands, has_reduction);
}

bool is_of_seeds(const Quantity& quantity) {
    if (quantity.kind == QuantityKind::reduction) return false;
    const std::vector<QuantityWord>& words = quantity_words();
    return any_of(words, [&](const QuantityWord& word) { return word.kind == quantity.kind && word.of_seeds(); }) ||
           any_of(quantity.operands, is_of_seeds);
}

std::vector<const Quantity*> leaves(const Quantity& quantity) {
    if (quantity.operands.empty()) return {&quantity};
    std::vector<const Quantity*> found;
    for (const Quantity& operand : quantity.operands)
        for (const Quantity* leaf : leaves(operand)) found.push_back(leaf);
    return found;
}

Quantity metric_quantity(std::string name) { return {.kind = QuantityKind::metric, .name = std::move(name)}; }

Quantity resolved(Quantity quantity, const std::vector<RunView>& runs, size_t in_run, Unknown unknown) {
    try {
        const bool emerges = quantity.kind == QuantityKind::emerged || quantity.kind == QuantityKind::emerged_at;
        if (quantity.kind == QuantityKind::run)
            in_run = place_of_run(quantity, runs);
        else if (quantity.operands.empty())
            (void)leaf_value(quantity, runs[in_run], kNowhere);
        if (const Snapshot* of = runs[in_run].snapshot; emerges && of != nullptr && of->emergence_rule.empty())
            throw InputError("experiment {} has no rule of emergence", of->experiment);
    } catch (const InputError& error) {
        if (unknown == Unknown::is_nan) return {.number = kMissing};
        throw InputError("column {}: {}", quantity.at, error.what());
    }
    quantity.in_run = in_run;
    for (Quantity& operand : quantity.operands) operand = resolved(std::move(operand), runs, in_run, unknown);
    if (quantity.kind == QuantityKind::run) return std::move(quantity.operands.front());
    if (quantity.kind != QuantityKind::over_x) return quantity;
    const std::vector<double> x = all_x(quantity, runs);
    const Quantity operand = std::move(quantity.operands.front());
    quantity.operands.clear();
    for (const double one : x)
        if (one >= quantity.from * x.back() && one <= quantity.to * x.back())
            quantity.operands.push_back(at_x(operand, one));
    return quantity;
}

void check_quantity(const Quantity& quantity, const std::vector<RunView>& runs) {
    try {
        const bool over_runs = quantity.kind == QuantityKind::over_runs;
        for (size_t run = 0; run < (over_runs ? runs.size() : 1); ++run)
            if (run == 0 || !runs[run].drawn)
                (void)resolved(over_runs ? quantity.operands.front() : quantity, runs, run);
    } catch (const InputError& error) {
        if (quantity.text.empty()) throw;
        throw quoting(quantity.text, error);
    }
}

}  // namespace emergence
