// How the matrices are looked at, as named values and back.
#include "app/gui/panels/matrices.h"
#include "app/gui/session/view_values.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {
namespace {

using Mode = MatrixView::Mode;
using Rule = ColorLimits::Rule;

constexpr double kMostSeeds = 1e6;
constexpr const char* kModes[] = {"scaled", "raw", "difference"};
constexpr const char* kRules[] = {"automatic", "percentile", "manual"};
constexpr const char* kMatrix = "matrix.";  // "matrix.P0.limits"

void write_limits(ViewValues& view, const std::string& name, const ColorLimits& limits) {
    view[name + "limits"] = std::string(kRules[static_cast<int>(limits.rule)]);
    if (limits.rule == Rule::percentile) view[name + "percentile"] = limits.percentile;
    if (limits.rule == Rule::manual) view[name + "limit"] = limits.manual;
}

ColorLimits limits_in(const ViewValues& view, const std::string& name) {
    ColorLimits limits;
    limits.rule = static_cast<Rule>(choice_in(view, name + "limits", {kRules[0], kRules[1], kRules[2]}).value_or(0));
    limits.percentile = number_in(view, name + "percentile", 0.0, 100.0).value_or(limits.percentile);
    limits.manual = number_in(view, name + "limit", kSmallestLimit, kLargestLimit).value_or(limits.manual);
    return limits;
}

}  // namespace

void MatricesPanel::write_view(ViewValues& view) const {
    const MatrixView& looked = look_.view;
    if (looked.mode != Mode::scaled && looked.mode != Mode::theory)
        view["matrix_mode"] = std::string(kModes[static_cast<int>(looked.mode)]);
    if (looked.seed_index >= 0) view["seed_index"] = static_cast<int64_t>(looked.seed_index);
    if (looked.emerged_only) view["emerged_only"] = true;
    if (looked.magnitudes) view["magnitudes"] = true;
    if (looked.limits != ColorLimits{}) write_limits(view, "", looked.limits);
    if (!look_.link_limits) view["link_limits"] = false;
    if (!look_.link_zoom) view["link_zoom"] = false;
    if (look_.every_seed) view["tiles"] = true;
    for (const auto& [matrix, limits] : own_limits_) write_limits(view, kMatrix + matrix + ".", limits);
}

void MatricesPanel::restore_view(const ViewValues& view) {
    MatrixView& looked = look_.view;
    looked = {};
    looked.mode = static_cast<Mode>(choice_in(view, "matrix_mode", {kModes[0], kModes[1], kModes[2]}).value_or(0));
    looked.seed_index = static_cast<int>(number_in(view, "seed_index", 0.0, kMostSeeds).value_or(-1.0));
    looked.emerged_only = flag_in(view, "emerged_only").value_or(false);
    looked.magnitudes = flag_in(view, "magnitudes").value_or(false);
    looked.limits = limits_in(view, "");
    look_.link_limits = flag_in(view, "link_limits").value_or(true);
    look_.link_zoom = flag_in(view, "link_zoom").value_or(true);
    look_.every_seed = flag_in(view, "tiles").value_or(false);
    own_limits_.clear();
    const std::string matrix = kMatrix, ending = ".limits";
    for (auto entry = view.lower_bound(matrix); entry != view.end() && entry->first.starts_with(matrix); ++entry) {
        const std::string& name = entry->first;
        if (!name.ends_with(ending) || name.size() <= matrix.size() + ending.size()) continue;
        const size_t end = name.size() - ending.size();
        own_limits_[name.substr(matrix.size(), end - matrix.size())] = limits_in(view, name.substr(0, end + 1));
    }
}

}  // namespace emergence
