// How the curves are looked at, as named values and back.
#include <limits>
#include <tuple>

#include "app/gui/panels/curves.h"
#include "app/gui/session/view_values.h"

namespace emergence {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();
constexpr double kMostSmoothing = 0.99;
constexpr const char* kSpreads[] = {"standard error", "deviation", "quartiles", "every seed", "histogram"};
constexpr size_t kModesOfPlot = 4;  // it says by itself whether it is a histogram
// "plot.loss.hidden.trained" is series "trained" of plot "loss".
constexpr const char* kPlot = "plot.";
constexpr const char* kHidden = "hidden.";

void range_fields(ViewFields& f, const std::string& name, std::optional<AxisRange>& range) {
    std::optional<double> low, high;
    if (range) std::tie(low, high) = *range;
    f.number(name + "_low", low, -kAny, kAny);
    f.number(name + "_high", high, -kAny, kAny);
    if (f.reads() && low && high && is_valid({*low, *high}, Scale::linear)) range = {*low, *high};
}

void scale_fields(ViewFields& f, const std::string& name, std::optional<Scale>& scale) {
    if (f.reads()) {
        if (const auto logarithmic = flag_in(f.view(), name)) scale = *logarithmic ? Scale::logarithmic : Scale::linear;
    } else if (scale) {
        bool logarithmic = *scale == Scale::logarithmic;
        f.flag(name, logarithmic, !logarithmic);  // written either way
    }
}

void hidden_fields(ViewFields& f, const std::string& name, std::set<std::string>& hidden) {
    const ViewValues& view = f.view();
    bool yes = true;
    if (!f.reads())
        for (const std::string& series : hidden) f.flag(name + series, yes, false);
    else
        for (auto entry = view.lower_bound(name); entry != view.end() && entry->first.starts_with(name); ++entry)
            if (flag_in(view, entry->first) == true) hidden.insert(entry->first.substr(name.size()));
}

void look_of_curves(ViewFields& f, CurvesLook& look) {
    f.choice("spread", look.mode, 0, kSpreads);
    f.number("smoothing", look.smoothing, 0.0F, 0.0, kMostSmoothing);
    f.flag("link_x", look.linked, true);
}

// `histogram`: whether all plots are histograms.
void plot_fields(ViewFields& f, const std::string& name, PlotView& plot, bool histogram) {
    range_fields(f, name + "x", plot.curves.x);
    range_fields(f, name + "y", plot.curves.y);
    range_fields(f, name + "bars_x", plot.bars.x);
    range_fields(f, name + "bars_y", plot.bars.y);
    scale_fields(f, name + "x_log", plot.x_scale);
    scale_fields(f, name + "y_log", plot.y_scale);
    f.choice(name + "spread", plot.spread, std::span(kSpreads).first(kModesOfPlot));
    f.number(name + "smoothing", plot.smoothing, 0.0, kMostSmoothing);
    f.flag(name + "histogram", plot.histogram, histogram);
    f.flag(name + "markers", plot.markers, true);
    hidden_fields(f, name + kHidden, plot.hidden);
}

}  // namespace

void CurvesPanel::write_view(ViewValues& view) const {
    ViewFields f = ViewFields::writing(view);
    CurvesLook look = look_;
    look_of_curves(f, look);
    for (const auto& [id, state] : states_) {
        PlotView plot = state.view;
        plot_fields(f, kPlot + id + ".", plot, look.mode == kModes - 1);
    }
}

void CurvesPanel::restore_view(const ViewValues& view) {
    ViewFields f = ViewFields::reading(view);
    look_of_curves(f, look_);
    states_.clear();
    const std::string plot = kPlot;
    for (auto entry = view.lower_bound(plot); entry != view.end() && entry->first.starts_with(plot); ++entry) {
        const size_t dot = entry->first.find('.', plot.size());
        if (dot == std::string::npos) continue;
        const auto [place, is_new] = states_.try_emplace(entry->first.substr(plot.size(), dot - plot.size()));
        if (is_new) plot_fields(f, entry->first.substr(0, dot + 1), place->second.view, look_.mode == kModes - 1);
    }
    specs_.clear();
    Source as_chosen;  // so that each plot's own choice stays
    as_chosen.mode = look_.mode;
    as_chosen.smoothing = look_.smoothing;
    built_.forget(as_chosen);
}

}  // namespace emergence
