// How the curves are looked at, as named values and back.
#include <limits>

#include "app/gui/panels/curves.h"
#include "app/gui/session/view_values.h"

namespace emergence {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();
constexpr double kMostSmoothing = 0.99;
constexpr const char* kSpreads[] = {"standard error", "deviation", "quartiles", "every seed", "histogram"};
// "plot.loss.hidden.trained" is series "trained" of plot "loss".
constexpr const char* kPlot = "plot.";
constexpr const char* kHidden = "hidden.";

std::optional<int> spread_in(const ViewValues& view, const std::string& name) {
    return choice_in(view, name, {kSpreads[0], kSpreads[1], kSpreads[2], kSpreads[3], kSpreads[4]});
}

void write_range(ViewValues& view, const std::string& name, const std::optional<AxisRange>& range) {
    if (!range) return;
    view[name + "_low"] = range->first;
    view[name + "_high"] = range->second;
}

std::optional<AxisRange> range_in(const ViewValues& view, const std::string& name) {
    const auto low = number_in(view, name + "_low", -kAny, kAny);
    const auto high = number_in(view, name + "_high", -kAny, kAny);
    if (!low || !high || !is_valid({*low, *high}, Scale::linear)) return std::nullopt;
    return AxisRange{*low, *high};
}

void write_scale(ViewValues& view, const std::string& name, const std::optional<Scale>& scale) {
    if (scale) view[name] = *scale == Scale::logarithmic;
}

std::optional<Scale> scale_in(const ViewValues& view, const std::string& name) {
    const auto logarithmic = flag_in(view, name);
    if (!logarithmic) return std::nullopt;
    return *logarithmic ? Scale::logarithmic : Scale::linear;
}

void write_plot(ViewValues& view, const std::string& name, const PlotView& plot, bool histogram) {
    write_range(view, name + "x", plot.curves.x);
    write_range(view, name + "y", plot.curves.y);
    write_range(view, name + "bars_x", plot.bars.x);
    write_range(view, name + "bars_y", plot.bars.y);
    write_scale(view, name + "x_log", plot.x_scale);
    write_scale(view, name + "y_log", plot.y_scale);
    if (plot.spread) view[name + "spread"] = std::string(kSpreads[static_cast<int>(*plot.spread)]);
    if (plot.smoothing) view[name + "smoothing"] = *plot.smoothing;
    if (plot.histogram != histogram) view[name + "histogram"] = plot.histogram;
    if (!plot.markers) view[name + "markers"] = false;
    for (const std::string& series : plot.hidden) view[name + kHidden + series] = true;
}

PlotView plot_in(const ViewValues& view, const std::string& name, bool histogram) {
    PlotView plot;
    plot.curves = {range_in(view, name + "x"), range_in(view, name + "y")};
    plot.bars = {range_in(view, name + "bars_x"), range_in(view, name + "bars_y")};
    plot.x_scale = scale_in(view, name + "x_log");
    plot.y_scale = scale_in(view, name + "y_log");
    const auto spread = spread_in(view, name + "spread");
    if (spread && *spread <= static_cast<int>(Spread::every_seed)) plot.spread = static_cast<Spread>(*spread);
    plot.smoothing = number_in(view, name + "smoothing", 0.0, kMostSmoothing);
    plot.histogram = flag_in(view, name + "histogram").value_or(histogram);
    plot.markers = flag_in(view, name + "markers").value_or(true);
    const std::string hidden = name + kHidden;
    for (auto entry = view.lower_bound(hidden); entry != view.end() && entry->first.starts_with(hidden); ++entry)
        if (flag_in(view, entry->first) == true) plot.hidden.insert(entry->first.substr(hidden.size()));
    return plot;
}

}  // namespace

void CurvesPanel::write_view(ViewValues& view) const {
    if (mode_ != 0) view["spread"] = std::string(kSpreads[mode_]);
    if (smoothing_ > 0.0F) view["smoothing"] = static_cast<double>(smoothing_);
    if (!linked_) view["link_x"] = false;
    for (const auto& [id, state] : states_) write_plot(view, kPlot + id + ".", state.view, mode_ == kModes - 1);
}

void CurvesPanel::restore_view(const ViewValues& view) {
    mode_ = spread_in(view, "spread").value_or(0);
    smoothing_ = static_cast<float>(number_in(view, "smoothing", 0.0, kMostSmoothing).value_or(0.0));
    linked_ = flag_in(view, "link_x").value_or(true);
    states_.clear();
    const std::string plot = kPlot;
    for (auto entry = view.lower_bound(plot); entry != view.end() && entry->first.starts_with(plot); ++entry) {
        const size_t dot = entry->first.find('.', plot.size());
        if (dot == std::string::npos) continue;
        const auto [place, is_new] = states_.try_emplace(entry->first.substr(plot.size(), dot - plot.size()));
        if (is_new) place->second.view = plot_in(view, entry->first.substr(0, dot + 1), mode_ == kModes - 1);
    }
    specs_.clear();
    Source as_chosen;  // so that each plot's own choice stays
    as_chosen.mode = mode_;
    as_chosen.smoothing = smoothing_;
    built_.forget(as_chosen);
}

}  // namespace emergence
