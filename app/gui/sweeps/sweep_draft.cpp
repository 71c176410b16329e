#include "app/gui/sweeps/sweep_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/setting_control.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr int kStandardCount = 5;
constexpr int kMostOfAll = 8;  // whole numbers that are all taken

std::string joined(const std::vector<FieldValue>& values) {
    return listed(values, [](const FieldValue& value) { return to_text(value); });
}

// As somebody would type them.
std::vector<FieldValue> rounded_values(std::vector<FieldValue> values) {
    for (FieldValue& value : values)
        if (auto* number = std::get_if<double>(&value)) *number = rounded(*number, 3);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

SweepAxis axis_of(const Settings& settings, const AxisDraft& draft) {
    const FieldInfo& field = settings.info(draft.field);
    SweepAxis axis = parse_axis(field, draft.values);
    axis.logarithmic = draft.logarithmic;
    for (size_t i = 0; i < axis.values.size(); ++i)
        if (to_text(axis.values[i]) == draft.shown) axis.shown = static_cast<int>(i);
    return axis;
}

AxisDraft draft_of_axis(const SweepAxis& axis) {
    AxisDraft draft{axis.field, joined(axis.values), 0.0, 0.0, static_cast<int>(axis.values.size()), axis.logarithmic};
    if (is_numeric(axis.values.front())) {
        draft.from = as_number(axis.values.front());
        draft.to = as_number(axis.values.back());
    }
    draft.shown = to_text(axis.values[static_cast<size_t>(axis.shown)]);
    return draft;
}

}  // namespace

std::vector<const FieldInfo*> axis_fields(const Settings& settings) {
    std::vector<const FieldInfo*> fields;
    for (const FieldInfo& field : settings.fields()) {
        const bool is_text = std::holds_alternative<std::string>(field.default_value);
        const bool seeds = field.role == FieldRole::first_seed || field.role == FieldRole::seed_count;
        if (seeds || (is_text && field.choices.empty())) continue;
        fields.push_back(&field);
    }
    return fields;
}

void fill_from_range(const Settings& settings, AxisDraft& axis) {
    const FieldInfo& field = settings.info(axis.field);
    if (!is_numeric(field)) return;
    axis.count = std::clamp(axis.count, 1, 200);
    if (axis.logarithmic && (axis.from <= 0 || axis.to <= 0)) return;
    axis.values = joined(rounded_values(spaced_values(field, axis.from, axis.to, axis.count, axis.logarithmic)));
}

AxisDraft axis_around(const Settings& settings, const std::string& name) {
    const FieldInfo& field = settings.info(name);
    AxisDraft axis;
    axis.field = name;
    axis.count = kStandardCount;
    if (!is_numeric(field)) {
        std::vector<FieldValue> values(field.choices.begin(), field.choices.end());
        axis.values = joined(field.choices.empty() ? std::vector<FieldValue>{false, true} : values);
        return axis;
    }
    const double value = as_number(settings.value(name));
    const bool real = std::holds_alternative<double>(field.default_value);
    axis.logarithmic = field.logarithmic && value > 0.0;
    const double ratio = real && axis.logarithmic ? 10.0 : 2.0;
    axis.from = std::clamp(value / ratio, field.minimum, field.maximum);
    axis.to = std::clamp(value * ratio, field.minimum, field.maximum);
    if (axis.to <= axis.from) {
        axis.from = field.minimum;
        axis.logarithmic = axis.logarithmic && axis.from > 0.0;
        axis.to = std::min(field.maximum, field.minimum + (real ? 1.0 : kStandardCount - 1.0));
    }
    if (!real) {
        axis.from = std::floor(axis.from);
        axis.to = std::max(axis.to, std::min(field.maximum, axis.from + kStandardCount - 1));
        const auto span = static_cast<int>(axis.to - axis.from) + 1;
        if (span <= kMostOfAll) axis.count = span;  // none is left out
    }
    fill_from_range(settings, axis);
    return axis;
}

std::vector<const AxisDraft*> SweepDraft::axes() const {
    std::vector<const AxisDraft*> all;
    for (const AxisDraft* axis : {&x, &y})
        if (!axis->field.empty()) all.push_back(axis);
    for (const AxisDraft& axis : more) all.push_back(&axis);
    return all;
}

std::optional<AxisDraft> another_axis(const SweepDraft& draft) {
    const std::vector<const AxisDraft*> taken = draft.axes();
    for (const FieldInfo* field : axis_fields(draft.settings)) {
        const bool is_free = std::none_of(taken.begin(), taken.end(),
                                          [field](const AxisDraft* axis) { return axis->field == field->name; });
        if (is_free && field->applies == Applies::restart && is_numeric(*field))
            return axis_around(draft.settings, field->name);
    }
    return std::nullopt;
}

SweepDraft draft_around(const ExperimentInfo& experiment, const Settings& settings) {
    SweepDraft draft;
    draft.experiment = &experiment;
    draft.settings = settings;
    draft.score = experiment.emergence_rule.empty() ? "" : kEmergedScore;
    std::vector<std::string> first;
    for (const FieldInfo* field : axis_fields(settings))
        if (field->applies == Applies::restart && is_numeric(*field)) first.push_back(field->name);
    if (!first.empty()) draft.x = axis_around(settings, first[0]);
    return draft;
}

SweepDraft draft_of(const Sweep& sweep) {
    SweepDraft draft;
    draft.experiment = sweep.experiment;
    draft.settings = sweep.settings;
    draft.title = sweep.title;
    draft.description = sweep.description;
    draft.score = sweep.score;
    draft.seeds = sweep.seeds;
    draft.weights = sweep.weights;
    draft.x = draft_of_axis(sweep.x());
    if (sweep.y() != nullptr) draft.y = draft_of_axis(*sweep.y());
    for (size_t i = 2; i < sweep.axes.size(); ++i) draft.more.push_back(draft_of_axis(sweep.axes[i]));
    return draft;
}

SweepText sweep_of(const SweepDraft& draft) {
    Sweep sweep;
    sweep.experiment = draft.experiment;
    sweep.title = draft.title;
    sweep.description = draft.description;
    sweep.score = draft.score;
    sweep.seeds = draft.seeds;
    sweep.weights = draft.weights;
    sweep.settings = draft.settings;
    // How many seeds and which axes a cell has is not among what all cells share.
    if (const FieldInfo* seeds = sweep.settings.field(FieldRole::seed_count))
        sweep.settings.set(seeds->name, seeds->default_value);
    for (const AxisDraft* axis : draft.axes()) {
        sweep.axes.push_back(axis_of(draft.settings, *axis));
        sweep.settings.set(axis->field, sweep.settings.info(axis->field).default_value);
    }
    if (sweep.title.empty()) sweep.title = default_title(sweep, draft.score_label);
    std::string text = sweep_to_toml(sweep, WholePaths::all);
    Sweep checked = parse_sweep(text, "phase diagram",
                                [&](const std::string&) -> const ExperimentInfo& { return *draft.experiment; });
    return {std::move(checked), std::move(text)};
}

}  // namespace emergence
