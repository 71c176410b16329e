#include "core/lab/sweeps/sweep.h"

#include <fmt/format.h>

#include <set>
#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence {
namespace {

const FieldValue& value_of_cell(const Sweep& sweep, const SweepCell& cell, size_t axis) {
    return sweep.axes[axis].values[cell[axis]];
}

std::string axes_of(const Sweep& sweep) { return listed(sweep.axes, &SweepAxis::field); }

size_t index_of_axis(const Sweep& sweep, const std::string& field) {
    for (size_t i = 0; i < sweep.axes.size(); ++i)
        if (sweep.axes[i].field == field) return i;
    throw InputError(fmt::format("'{}' is no axis of this sweep, there are: {}", field, axes_of(sweep)));
}

}  // namespace

int Sweep::cells() const {
    int cells = 1;
    for (const SweepAxis& one : axes) cells *= static_cast<int>(one.values.size());
    return cells;
}

const SweepAxis* Sweep::axis(std::string_view field) const {
    for (const SweepAxis& one : axes)
        if (one.field == field) return &one;
    return nullptr;
}

void choose_axes(Sweep& sweep, const std::string& x, const std::string& y) {
    if (!x.empty() && x == y) throw InputError(fmt::format("'{}' cannot be both across and down", x));
    if (!x.empty()) std::swap(sweep.axes[0], sweep.axes[index_of_axis(sweep, x)]);
    if (y.empty()) return;
    const size_t found = index_of_axis(sweep, y);
    if (found == 0 && sweep.axes.size() == 1)
        throw InputError(fmt::format("'{}' is the only axis: it is shown across", y));
    std::swap(sweep.axes[1], sweep.axes[found]);
}

void show_at(Sweep& sweep, const std::string& field, std::string_view value) {
    SweepAxis& axis = sweep.axes[index_of_axis(sweep, field)];
    const FieldValue wanted = parse_value(sweep.settings.info(field), value);
    const auto found = std::find(axis.values.begin(), axis.values.end(), wanted);
    if (found == axis.values.end()) {
        throw InputError(fmt::format("{}: the sweep has no value {}, there are: {}", field, to_text(wanted),
                                     listed(axis.values, [](const FieldValue& one) { return to_text(one); })));
    }
    axis.shown = static_cast<int>(found - axis.values.begin());
}

double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    const auto& choices = sweep.settings.info(axis.field).choices;
    return static_cast<double>(std::find(choices.begin(), choices.end(), std::get<std::string>(value)) -
                               choices.begin());
}

std::vector<SweepCell> cells_coarse_first(const std::vector<int>& sizes) {
    std::vector<SweepCell> order;
    std::set<SweepCell> seen;
    int stride = 1;
    while (stride < *std::max_element(sizes.begin(), sizes.end())) stride *= 2;
    for (; stride >= 1; stride /= 2) {
        SweepCell cell(sizes.size(), 0);
        // Counts through the multiples of the stride, the first axis fastest.
        for (size_t axis = 0; axis < sizes.size();) {
            if (axis == 0 && seen.insert(cell).second) order.push_back(cell);
            cell[axis] += stride;
            if (cell[axis] < sizes[axis])
                axis = 0;
            else
                cell[axis++] = 0;
        }
    }
    return order;
}

std::vector<SweepCell> cells_coarse_first(const Sweep& sweep) {
    std::vector<int> sizes;
    for (const SweepAxis& axis : sweep.axes) sizes.push_back(static_cast<int>(axis.values.size()));
    return cells_coarse_first(sizes);
}

SweepCell shown_cell(const Sweep& sweep, int column, int row) {
    SweepCell cell;
    for (size_t i = 0; i < sweep.axes.size(); ++i) cell.push_back(i == 0 ? column : i == 1 ? row : sweep.axes[i].shown);
    return cell;
}

Settings settings_of(const Sweep& sweep, const SweepCell& cell) {
    Settings settings = sweep.settings;
    for (size_t i = 0; i < sweep.axes.size(); ++i) settings.set(sweep.axes[i].field, value_of_cell(sweep, cell, i));
    settings.set("seeds", static_cast<int64_t>(sweep.seeds));
    return settings;
}

std::vector<std::string> shown_values(const Sweep& sweep, const SweepAxis& axis) {
    const bool are_paths = sweep.settings.info(axis.field).reads.has_value();
    std::vector<std::string> shown;
    for (const FieldValue& value : axis.values) {
        const std::string text = are_paths ? without_place(to_text(value)) : to_text(value);
        std::string free = text;
        for (int i = 2; std::find(shown.begin(), shown.end(), free) != shown.end(); ++i)
            free = fmt::format("{} ({})", text, i);
        shown.push_back(free);
    }
    return shown;
}

std::string cell_label(const Sweep& sweep, const SweepCell& cell) {
    return listed(sweep.axes, [&](const SweepAxis& axis) {
        const auto i = static_cast<size_t>(&axis - sweep.axes.data());
        return fmt::format("{} = {}", axis.field, shown_values(sweep, axis)[static_cast<size_t>(cell[i])]);
    });
}

std::string default_title(const Sweep& sweep, const std::string& label) {
    std::string title = (label.empty() ? sweep.score : label) + ": ";
    for (size_t i = 0; i < sweep.axes.size(); ++i) {
        const FieldInfo& info = sweep.settings.info(sweep.axes[i].field);
        title += fmt::format("{}{}",
                             i == 0                      ? ""
                             : i + 1 < sweep.axes.size() ? ", "
                                                         : " and ",
                             info.label.empty() ? info.name : info.label);
    }
    return title;
}

std::string folder_name(const Sweep& sweep) {
    std::string name = sweep.experiment->name;
    for (const SweepAxis& axis : sweep.axes) name += "-" + axis.field;
    return name;
}

bool same_but_for_places(const Sweep& a, const Sweep& b) {
    if (a.experiment != b.experiment || a.axes.size() != b.axes.size()) return false;
    const FieldTable& fields = a.settings.fields();
    return std::all_of(
               fields.begin(), fields.end(),
               [&](const FieldInfo& field) { return a.settings.shown(field.name) == b.settings.shown(field.name); }) &&
           std::all_of(a.axes.begin(), a.axes.end(),
                       [&b](const SweepAxis& axis) { return b.axis(axis.field) != nullptr; });
}

}  // namespace emergence
