#include "core/lessons/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double number_of_field(const Settings& settings, const std::string& name) {
    if (!settings.has(name)) return kUnknown;
    const FieldValue& value = settings.value(name);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    return kUnknown;
}

double named_scalar(const Snapshot& snapshot, const std::string& name) {
    for (const Scalar& scalar : snapshot.scalars)
        if (scalar.name == name) return scalar.value;
    return kUnknown;
}

double scene_number(const Snapshot& snapshot, const std::string& scene, const std::string& name) {
    for (const Scene& one : snapshot.scenes) {
        if (one.id != scene || !one.moments || one.moments->empty()) continue;
        for (const DrawnNumber& number : one.moments->back().numbers)
            if (number.name == name) return number.value;
    }
    return kUnknown;
}

// The mean over the seeds at the point of the curve that is nearest to `at`.
double curve_at(const Snapshot& snapshot, const std::string& plot, const std::string& name, double at) {
    for (const PlotSpec& one : snapshot.plots) {
        if (one.id != plot) continue;
        for (const Series& series : one.series) {
            if (series.name != name || series.x.empty()) continue;
            size_t nearest = 0;
            for (size_t i = 1; i < series.x.size(); ++i)
                if (std::abs(series.x[i] - at) < std::abs(series.x[nearest] - at)) nearest = i;
            return summarise(series.rows, nearest).mean;
        }
    }
    return kUnknown;
}

// Where the block of this name begins, and its size; 0 if none.
std::pair<int, int> place_of_block(const std::vector<Block>& blocks, const std::string& label) {
    int first = 0;
    for (const Block& block : blocks) {
        if (block.label == label) return {first, block.size};
        first += block.size;
    }
    return {0, 0};
}

double block_size(const Snapshot& snapshot, const Quantity& quantity) {
    const NamedMatrix* matrix = find_matrix(snapshot, quantity.name);
    if (matrix == nullptr) return kUnknown;
    const auto [top, rows] = place_of_block(matrix->row_blocks, quantity.part);
    const auto [left, columns] = place_of_block(matrix->column_blocks, quantity.columns);
    double sum = 0.0;
    int count = 0;
    for (size_t seed = 0; seed < matrix->seeds.size(); ++seed) {
        const Table& values = matrix->seeds[seed];
        if (seed < snapshot.seeds.size() && snapshot.seeds[seed].failed) continue;
        for (int r = top; r < top + rows; ++r)
            for (int c = left; c < left + columns; ++c) {
                sum += std::abs(values(r, c));
                ++count;
            }
    }
    return count == 0 ? kUnknown : sum / count;
}

double leaf_value(const Quantity& quantity, const LessonFacts& facts) {
    const Snapshot& snapshot = *facts.snapshot;
    const auto count = [&](const auto& counts) {
        return static_cast<double>(std::count_if(snapshot.seeds.begin(), snapshot.seeds.end(), counts));
    };
    switch (quantity.kind) {
        case Quantity::Kind::step:
            return static_cast<double>(snapshot.step);
        case Quantity::Kind::seeds:
            return static_cast<double>(snapshot.seeds.size());
        case Quantity::Kind::emerged:
            return count([](const SeedStatus& seed) { return seed.emerged; });
        case Quantity::Kind::failed:
            return count([](const SeedStatus& seed) { return seed.failed; });
        case Quantity::Kind::field:
            return number_of_field(snapshot.settings, quantity.name);
        case Quantity::Kind::metric: {
            const auto found = facts.metrics.find(quantity.name);
            return found == facts.metrics.end() ? kUnknown : found->second;
        }
        case Quantity::Kind::scalar:
            return named_scalar(snapshot, quantity.name);
        case Quantity::Kind::scene_number:
            return scene_number(snapshot, quantity.name, quantity.part);
        case Quantity::Kind::block:
            return block_size(snapshot, quantity);
        case Quantity::Kind::curve:
            return curve_at(snapshot, quantity.name, quantity.part, quantity.number);
        default:
            return quantity.number;
    }
}

double combined(Quantity::Kind kind, double left, double right) {
    if (kind == Quantity::Kind::plus) return left + right;
    if (kind == Quantity::Kind::minus) return left - right;
    return kind == Quantity::Kind::times ? left * right : left / right;
}

// The numbers of a drawn world are fields that its handles set by dragging.
bool edited_world(const LessonView& view) {
    if (view.now == nullptr || view.before == nullptr) return false;
    const Snapshot& now = *view.now->snapshot;
    const Settings& before = view.before->snapshot->settings;
    for (const Scene& scene : now.scenes) {
        if (!scene.moments) continue;
        for (const DrawingSpec& drawing : *scene.moments)
            for (const DrawnHandle& handle : drawing.handles)
                if (handle.step > 0.0 && before.has(handle.field) && now.settings.has(handle.field) &&
                    before.value(handle.field) != now.settings.value(handle.field))
                    return true;
    }
    return false;
}

bool field_changed(const std::string& field, const LessonView& view) {
    if (view.now == nullptr || view.before == nullptr) return false;
    const Settings& now = view.now->snapshot->settings;
    const Settings& before = view.before->snapshot->settings;
    return now.has(field) && before.has(field) && now.value(field) != before.value(field);
}

bool holds(const Condition::Clause& clause, const LessonView& view) {
    using ClauseKind = Condition::Clause::Kind;
    if (clause.kind == ClauseKind::answered) return view.answered;
    if (clause.kind == ClauseKind::edited_world) return edited_world(view);
    if (clause.kind == ClauseKind::field_changed) return field_changed(clause.field, view);
    const double left = value_of(clause.left, view), right = value_of(clause.right, view);
    if (clause.comparison == "<") return left < right;
    if (clause.comparison == "<=") return left <= right;
    if (clause.comparison == ">") return left > right;
    if (clause.comparison == ">=") return left >= right;
    return left == right;
}

void add_leaves(const Quantity& quantity, std::vector<const Quantity*>& found) {
    if (quantity.operands.empty()) found.push_back(&quantity);
    for (const Quantity& operand : quantity.operands) add_leaves(operand, found);
}

// Calls `text(piece)` and `number(quantity)` in order.
template <class Text, class Number>
void walk_braces(std::string_view text, const Text& plain, const Number& number) {
    for (size_t from = 0; from < text.size();) {
        const size_t open = text.find('{', from);
        if (open == std::string_view::npos) {
            plain(text.substr(from));
            return;
        }
        const size_t close = text.find('}', open);
        if (close == std::string_view::npos) throw InputError("the brace { has no }");
        plain(text.substr(from, open - from));
        number(parse_quantity(text.substr(open + 1, close - open - 1)));
        from = close + 1;
    }
}

}  // namespace

LessonFacts facts_of(std::shared_ptr<const Snapshot> snapshot, const MetricHistory& history) {
    check(snapshot != nullptr, "facts are of a snapshot");
    LessonFacts facts{std::move(snapshot), {}};
    const std::vector<double>& steps = history.steps();
    const auto after =
        std::upper_bound(steps.begin(), steps.end(), static_cast<double>(facts.snapshot->step));
    if (after == steps.begin()) return facts;
    const auto last = static_cast<size_t>(after - steps.begin()) - 1;
    for (const MetricInfo& metric : history.table()) {
        double sum = 0.0;
        int count = 0;
        for (int seed = 0; seed < history.num_seeds(); ++seed) {
            const std::vector<double>& column = history.column(metric.name, seed);
            if (last >= column.size() || !std::isfinite(column[last])) continue;
            sum += column[last];
            ++count;
        }
        if (count > 0) facts.metrics[metric.name] = sum / count;
    }
    return facts;
}

double value_of(const Quantity& quantity, const LessonView& view) {
    if (quantity.kind == Quantity::Kind::number) return quantity.number;
    if (quantity.kind == Quantity::Kind::before || quantity.kind == Quantity::Kind::other) {
        LessonView seen = view;
        seen.now = quantity.kind == Quantity::Kind::before ? view.before : view.other;
        return value_of(quantity.operands.front(), seen);
    }
    if (!quantity.operands.empty())
        return combined(quantity.kind, value_of(quantity.operands[0], view),
                        value_of(quantity.operands[1], view));
    return view.now == nullptr ? kUnknown : leaf_value(quantity, *view.now);
}

bool holds(const Condition& condition, const LessonView& view) {
    return std::all_of(condition.clauses.begin(), condition.clauses.end(),
                       [&](const Condition::Clause& clause) { return holds(clause, view); });
}

std::vector<const Quantity*> leaves(const Quantity& quantity) {
    std::vector<const Quantity*> found;
    add_leaves(quantity, found);
    return found;
}

std::vector<const Quantity*> leaves(const Condition& condition) {
    std::vector<const Quantity*> found;
    for (const Condition::Clause& clause : condition.clauses)
        for (const Quantity* side : {&clause.left, &clause.right}) add_leaves(*side, found);
    return found;
}

std::string filled_text(std::string_view text, const LessonView& view) {
    std::string filled;
    walk_braces(
        text, [&](std::string_view piece) { filled += piece; },
        [&](const Quantity& quantity) {
            const double value = value_of(quantity, view);
            filled += std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
        });
    return filled;
}

std::vector<Quantity> quantities_in(std::string_view text) {
    std::vector<Quantity> found;
    walk_braces(
        text, [](std::string_view) {}, [&](Quantity quantity) { found.push_back(std::move(quantity)); });
    return found;
}

}  // namespace emergence
