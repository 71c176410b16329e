#include "core/pictures/read_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

// The bar over x, or the point nearest to x; x.size() where no bar stands.
size_t index_at(const Series& series, const std::vector<double>& x, double at) {
    if (series.bars) {
        const auto above = static_cast<size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
        return above == 0 || above >= x.size() ? x.size() : above - 1;
    }
    return static_cast<size_t>(std::find(x.begin(), x.end(), at) - x.begin());
}

// Of points several may stand over one x: the one that is meant.
size_t index_at(const PlotSpec& spec, size_t i, const SeriesShape& shape, const PlotReading& reading) {
    if (spec.series[i].points && reading.nearest && reading.nearest->series == i)
        for (size_t at = 0; at < std::min(shape.x.size(), shape.center.size()); ++at)
            if (shape.x[at] == reading.nearest->x && shape.center[at] == reading.nearest->y) return at;
    return index_at(spec.series[i], shape.x, reading.x);
}

double nearest_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const auto& distance_of) {
    double best = kMissing;
    double distance = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < shapes.size(); ++i)
        for (const double x : shapes[i].x)
            if (const double apart = distance_of(x); !spec.series[i].trail && apart < distance) {
                distance = apart;
                best = x;
            }
    return best;
}

std::vector<double> values_at(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, double x) {
    std::vector<double> values;
    for (size_t i = 0; i < shapes.size(); ++i) {
        const size_t index = index_at(spec.series[i], shapes[i].x, x);
        const bool read = !spec.series[i].trail && index < shapes[i].center.size();
        values.push_back(read ? shapes[i].center[index] : kMissing);
    }
    return values;
}

// A point beside the axes is not one that could be pointed at.
bool is_in_view(const PlotPlace& place, double x) {
    const double at = place.x.place(x);
    return at >= place.area.x - 1.0 && at <= place.area.right() + 1.0;
}

class NearestSearch {
  public:
    NearestSearch(const PlotPlace& place, Point pointer, double reach)
        : place_(place), pointer_(pointer), reach_(reach) {}

    void add(size_t series, std::optional<size_t> seed, const std::vector<double>& x, const std::vector<double>& y) {
        for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
            if (!is_in_view(place_, x[i])) continue;
            const double across = place_.x.place(x[i]) - pointer_.x;
            if (!(std::abs(across) < reach_)) continue;
            const double apart = std::hypot(across, place_.y.place(y[i]) - pointer_.y);
            if (!(apart < reach_)) continue;
            reach_ = apart;
            found_ = NearestPoint{series, seed, x[i], y[i], apart};
        }
    }
    const std::optional<NearestPoint>& found() const { return found_; }

  private:
    const PlotPlace& place_;
    Point pointer_;
    double reach_;
    std::optional<NearestPoint> found_;
};

}  // namespace

std::string reading_text(const PlotSpec& spec, size_t i, const SeriesShape& shape, const PlotReading& reading) {
    if (spec.series[i].bars) {
        const size_t bin = index_at(spec.series[i], shape.x, reading.x);
        return readout(reading.values[i]) + " " + spec.row_word + (reading.values[i] == 1.0 ? " in " : "s in ") +
               readout(shape.x[bin]) + " .. " + readout(shape.x[bin + 1]);
    }
    const size_t at = index_at(spec, i, shape, reading);
    const Series& series = spec.series[i];
    std::string text = readout(reading.values[i]);
    if (at < series.details.labels.size())
        return fmt::format("{} ({}, {})", series.details.labels[at], readout(shape.x[at]), readout(shape.center[at]));
    if (!series.details.knows_x(at) || !series.details.knows_y(at)) text = "not determined";
    if (at < series.seeds.size()) text += fmt::format(",  {} {}", spec.row_word, series.seeds[at]);
    if (at < series.details.words.size()) text += ": " + series.details.words[at];
    if (at < shape.band_low.size()) {
        if (spec.spread == Spread::median || spec.series[i].share)
            text += "  [" + readout(shape.band_low[at]) + ", " + readout(shape.band_high[at]) + "]";
        else
            text += " ± " + readout((shape.band_high[at] - shape.band_low[at]) / 2);
    }
    if (at < shape.highlighted.size() && !std::isnan(shape.highlighted[at]))
        text +=
            ",  " + row_name(spec, static_cast<size_t>(spec.highlighted_seed)) + ": " + readout(shape.highlighted[at]);
    if (reading.nearest && reading.nearest->series == i && reading.nearest->seed)
        text += ",  " + row_name(spec, *reading.nearest->seed) + ": " + readout(reading.nearest->y);
    return text;
}

PlotReading read_at_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, double x) {
    PlotReading reading;
    const bool bars = std::any_of(spec.series.begin(), spec.series.end(), [](const Series& s) { return s.bars; });
    reading.x = bars ? x : nearest_x(spec, shapes, [x](double at) { return std::abs(at - x); });
    reading.values = values_at(spec, shapes, reading.x);
    return reading;
}

std::optional<PlotReading> read_at(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                                   Point pointer, double reach) {
    PlotReading reading;
    if (std::any_of(spec.series.begin(), spec.series.end(), [](const Series& s) { return s.bars; }))
        return read_at_x(spec, shapes, place.x.value(pointer.x));
    NearestSearch search(place, pointer, reach);
    bool plane = false;
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (spec.series[i].trail) continue;
        plane = plane || !spec.series[i].details.words.empty();
        search.add(i, std::nullopt, shapes[i].x, shapes[i].center);
        for (size_t seed = 0; seed < shapes[i].seeds.size(); ++seed)
            search.add(i, seed, shapes[i].x, shapes[i].seeds[seed]);
    }
    reading.nearest = search.found();
    if (plane && !reading.nearest) return std::nullopt;  // points that say something are read one by one
    reading.x = reading.nearest ? reading.nearest->x : nearest_x(spec, shapes, [&](double x) {
        return is_in_view(place, x) ? std::abs(place.x.place(x) - pointer.x) : kMissing;
    });
    if (std::isnan(reading.x)) return std::nullopt;
    reading.values = values_at(spec, shapes, reading.x);
    if (reading.nearest && spec.series[reading.nearest->series].points)
        reading.values[reading.nearest->series] = reading.nearest->y;
    return reading;
}

std::string reading_of_x(const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotReading& reading) {
    if (reading.nearest) {
        const size_t i = reading.nearest->series;
        if (!spec.series[i].details.knows_x(index_at(spec, i, shapes[i], reading))) return "not determined";
    }
    return readout(reading.x);
}

std::vector<std::string> reading_lines(const PlotSpec& spec, const std::vector<SeriesShape>& shapes,
                                       const PlotReading& reading) {
    std::vector<std::string> lines{(spec.x.label + " ").append(reading_of_x(spec, shapes, reading))};
    for (size_t i = 0; i < spec.series.size(); ++i)
        if (!std::isnan(reading.values[i]))
            lines.push_back((spec.series[i].name + "\t").append(reading_text(spec, i, shapes[i], reading)));
    return lines;
}

}  // namespace emergence
