#pragma once
// Builds a PlotSpec in words that read like the picture:
//
//     Plot plot("flow", "Expected updates, and trainings");
//     plot.x("a").from(-1).to(1);
//     plot.path("training", a, b).color(1);
//     plot.note("Arrows: ..");

#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// first, first + 1, ..: the x of so many points.
inline std::vector<double> numbered_points(size_t count, double first = 0.0) {
    std::vector<double> x(count);
    std::iota(x.begin(), x.end(), first);
    return x;
}

class AxisBuilder {
  public:
    AxisBuilder(AxisSpec& axis, std::string label) : axis_(&axis) { axis_->label = std::move(label); }
    AxisBuilder& unit(std::string unit) { return axis_->unit = std::move(unit), *this; }
    /// Fixed ends; without them the axis fits the data.
    AxisBuilder& from(double minimum) { return axis_->minimum = minimum, *this; }
    AxisBuilder& to(double maximum) { return axis_->maximum = maximum, *this; }
    AxisBuilder& cut(double largest) { return axis_->cut = largest, *this; }
    AxisBuilder& logarithmic(bool on = true) { return axis_->scale = on ? Scale::logarithmic : Scale::linear, *this; }
    AxisBuilder& whole() { return axis_->whole = true, *this; }

  private:
    AxisSpec* axis_;
};

/// Sets the line that was added last; valid until the next one is added.
template <class Line>
class LineBuilder {
  public:
    explicit LineBuilder(Line& line) : line_(&line) {}
    LineBuilder& color(int index) { return line_->color = index, *this; }
    LineBuilder& dashed(bool on = true) { return line_->dashed = on, *this; }
    /// Of a metric; a line without a label takes the metric's.
    LineBuilder& label(std::string text) { return line_->label = std::move(text), *this; }

  private:
    Line* line_;
};
using SeriesBuilder = LineBuilder<Series>;

/// What plots of numbers and of the training history have in common. `Spec` has x, y and the members set here.
template <class Self, class Spec>
class PlotBuilder {
  public:
    AxisBuilder y(std::string label) { return {spec_.y, std::move(label)}; }
    Self& note(std::string text) { return spec_.note = std::move(text), self(); }
    Self& sparse_markers() { return spec_.sparse_markers = true, self(); }
    /// A labelled line at y = value.
    Self& level(std::string label, double y) { return spec_.lines.push_back({std::move(label), y, false}), self(); }

    /// The data so far.
    Spec& spec() { return spec_; }
    operator Spec() && { return std::move(spec_); }
    operator Spec() const& { return spec_; }

  protected:
    PlotBuilder(std::string id, std::string title) {
        spec_.id = std::move(id);
        spec_.title = std::move(title);
    }
    Self& self() { return static_cast<Self&>(*this); }
    Spec spec_;
};

class Plot : public PlotBuilder<Plot, PlotSpec> {
  public:
    Plot(std::string id, std::string title) : PlotBuilder(std::move(id), std::move(title)) {}

    AxisBuilder x(std::string label) { return {spec_.x, std::move(label)}; }
    /// A curve over seeds: a row per seed, each as long as x.
    SeriesBuilder line(std::string name, std::vector<double> x, std::vector<std::vector<double>> rows) {
        spec_.series.push_back({std::move(name), std::move(x), std::move(rows)});
        return SeriesBuilder(spec_.series.back());
    }
    /// One curve through the points (x, y).
    SeriesBuilder path(std::string name, std::vector<double> x, std::vector<double> y) {
        return line(std::move(name), std::move(x), {std::move(y)});
    }
    /// Marks at the points (x, y), without a line.
    SeriesBuilder points(std::string name, std::vector<double> x, std::vector<double> y) {
        const SeriesBuilder added = path(std::move(name), std::move(x), std::move(y));
        spec_.series.back().points = true;
        return added;
    }
    Plot& add(Series series) { return spec_.series.push_back(std::move(series)), *this; }

    /// A labelled line at x = value.
    Plot& mark(std::string label, double x) { return spec_.lines.push_back({std::move(label), x, true}), *this; }

    Plot& spread(Spread spread) { return spec_.spread = spread, *this; }
    Plot& no_markers() { return spec_.markers = false, *this; }
    Plot& readout(std::string text) { return spec_.readout = std::move(text), *this; }
    Plot& row_word(std::string word) { return spec_.row_word = std::move(word), *this; }
    Plot& leads(bool on = true) { return spec_.leads = on, *this; }
};

// The lines of several runs in one plot.

/// Adds the solid lines of saved runs. Those of a single saved run are dashed, in their own colours. With several saved
/// runs, each run gets a colour and each quantity a line style. No two lines look alike.
void overlay_kept(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& kept);

/// Adds the solid lines of an earlier state of the plot, dashed, in their own colours.
void overlay_before(PlotSpec& plot, const PlotSpec& before);

/// Adds the lines of `of_b` to `plot`: dashed, and dotted for references, in colours that `plot` does not use. Names
/// say to which run a line belongs; a reference that both share appears once.
void overlay(PlotSpec& plot, const PlotSpec& of_b);
/// The same for each plot that both have.
void overlay(std::vector<PlotSpec>& plots, const std::vector<PlotSpec>& of_b);

// The user's view of a plot: zoom, hidden series, smoothing, scales. Applied to a PlotSpec it gives the plot that the
// window draws and the exporter writes.

using AxisRange = std::pair<double, double>;  // low, high

/// The ranges that the user has chosen; an absent range is fitted to the data.
struct ViewRanges {
    std::optional<AxisRange> x, y;
    bool operator==(const ViewRanges&) const = default;
    bool fitted() const { return !x && !y; }
};

struct PlotView {
    ViewRanges curves;
    ViewRanges bars;  // the ranges of the histogram, whose x is the curves' y
    // The plot's own, if absent.
    std::optional<Scale> x_scale, y_scale;
    std::optional<Spread> spread;
    std::optional<double> smoothing;
    bool histogram = false;
    bool markers = true;
    std::set<std::string> hidden;  // the names of hidden series
    bool operator==(const PlotView&) const = default;

    /// The ranges of the present picture, histogram or curves.
    ViewRanges& ranges() { return histogram ? bars : curves; }
    const ViewRanges& ranges() const { return histogram ? bars : curves; }
};

/// The plot under the view, except for the ranges: hidden series, scales, spread, smoothing, markers, and the histogram
/// in place of the curves.
PlotSpec shown_as(PlotSpec plot, const PlotView& view);

/// Sets the axes' limits to the view's ranges, or to ranges fitted to the data. A range that is not is_valid() counts
/// as absent.
void set_ranges(PlotSpec& shown, const std::vector<SeriesShape>& shapes, const ViewRanges& ranges);

/// True if an axis can show the range: finite, low below high by more than rounding, positive on a logarithmic axis.
bool is_valid(const AxisRange& range, Scale scale);

/// The range after zooming about the point at `fraction` of the axis (0 low, 1 high); `factor` below 1 magnifies. The
/// old range if the result is not valid.
AxisRange zoomed(const AxisRange& range, Scale scale, double fraction, double factor);

/// The range after dragging the contents by `fraction` of the axis' length. The old range if the result is not valid.
AxisRange panned(const AxisRange& range, Scale scale, double fraction);

/// True if a series of the plot has more than one row.
bool has_distribution(const PlotSpec& plot);

/// A histogram over seeds of the plot's values: at the first vertical reference line, or, without one, at the last x at
/// which a seed of the series has a value. Series with one row and horizontal reference lines become vertical lines.
/// All series share the bins, which are equally wide on the axis. The read-out counts values beyond the axis' cut.
PlotSpec histogram_of(const PlotSpec& plot);

}  // namespace emergence
