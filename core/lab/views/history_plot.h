#pragma once
// Builds a MetricPlot in words that read like the picture:
//
//     HistoryPlot loss("loss", "Training loss");
//     loss.y("mean squared error").logarithmic();
//     loss.line("loss").color(1);

#include <string>
#include <utility>
#include <vector>

#include "core/lab/metrics.h"
#include "core/pictures/plot.h"

namespace emergence {

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
    HistoryPlot& best_by(std::vector<std::string> metrics) {
        return spec_.best_by = std::move(metrics), *this;
    }
};

}  // namespace emergence
