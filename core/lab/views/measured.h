#pragma once
// Metrics of an experiment, each declared once.

#include <functional>
#include <initializer_list>

#include "core/lab/metrics.h"
#include "core/pictures/plot.h"

namespace emergence {

/// The value of a metric that is a member of a member: of(&Measured::scores, &Scores::msve).
template <class Measured, class Part, class Number>
auto of(Part Measured::*part, Number Part::*number) {
    return [part, number](const Measured& measured) { return (measured.*part).*number; };
}

/// The metrics that an experiment reads off a `Measured`: what a seed measures at a logged step.
template <class Measured>
class Metrics {
  public:
    /// A metric and the way to its value: a member of Measured, or a function of it.
    struct Metric {
        std::string name, label, help;
        std::function<double(const Measured&)> value;
        bool share = false;  // see MetricInfo
        bool of_scale = false;
    };

    Metrics(std::initializer_list<Metric> metrics) : metrics_(metrics) {}

    void add(Metric metric) { metrics_.push_back(std::move(metric)); }
    void add(std::initializer_list<Metric> metrics) { metrics_.insert(metrics_.end(), metrics.begin(), metrics.end()); }

    MetricTable table() const {
        MetricTable table;
        for (const Metric& metric : metrics_)
            table.push_back({metric.name, metric.label, metric.help, metric.share, metric.of_scale});
        return table;
    }
    /// In the order of table().
    std::vector<double> values(const Measured& measured) const {
        std::vector<double> values;
        for (const Metric& metric : metrics_) values.push_back(metric.value(measured));
        return values;
    }

  private:
    std::vector<Metric> metrics_;
};

/// Sets the line that was added last; valid until the next one is added.
class MetricLineBuilder {
  public:
    explicit MetricLineBuilder(MetricPlot::Line& line) : line_(&line) {}
    /// Index into the categorical palette.
    MetricLineBuilder& color(int index) { return line_->color = index, *this; }
    MetricLineBuilder& dashed(bool on = true) { return line_->dashed = on, *this; }
    /// Without one the line takes its metric's.
    MetricLineBuilder& label(std::string text) { return line_->label = std::move(text), *this; }

  private:
    MetricPlot::Line* line_;
};

/// Builds a MetricPlot.
class HistoryPlot : public PlotBuilder<HistoryPlot, MetricPlot> {
  public:
    HistoryPlot(std::string id, std::string title) : PlotBuilder(std::move(id), std::move(title)) {}

    /// A metric, by its name.
    MetricLineBuilder line(std::string metric) {
        spec_.lines.push_back({.metric = std::move(metric), .label = ""});
        return MetricLineBuilder(spec_.lines.back());
    }
    /// A labelled line at y = value.
    HistoryPlot& level(std::string label, double y) {
        return spec_.references.push_back({std::move(label), y, false}), *this;
    }
    /// See MetricPlot.
    HistoryPlot& best_by(std::vector<std::string> metrics) { return spec_.best_by = std::move(metrics), *this; }
};

}  // namespace emergence
