#pragma once
// One statement declares a metric: its name, label, help, value, and the line that draws it. The table of metrics, the
// plots of the history and the rows of values all come from say():
//
//     struct Measured {
//         double msve = kMissing;
//         void say(Row& row) const {
//             HistoryPlot& error = row.plot("value_error", "Value error while training");
//             error.y("MSVE").from(0.0);
//             row("msve", "MSVE", "Mean squared value error on held-out MRPs.", msve).line(error).label("transformer");
//         }
//     };

#include <list>

#include "core/lab/views/run_views.h"

namespace emergence {

struct Row {
    MetricTable table;
    /// In the order of the table.
    std::vector<double> values;
    /// The plots of the history.
    std::list<HistoryPlot> plots;

    /// Sets the metric that was said last; valid until the next one.
    class Said {
      public:
        explicit Said(MetricInfo& metric) : metric_(&metric) {}
        /// See MetricInfo.
        Said& share() { return metric_->share = true, *this; }
        Said& of_scale(bool on = true) { return metric_->of_scale = on, *this; }
        /// Draws it, in a colour of the categorical palette.
        MetricLineBuilder line(HistoryPlot& plot, int color = 0) const { return plot.line(metric_->name).color(color); }

      private:
        MetricInfo* metric_;
    };

    Said operator()(std::string name, std::string label, std::string help, double value) {
        values.push_back(value);
        return Said(table.emplace_back(MetricInfo{std::move(name), std::move(label), std::move(help)}));
    }
    /// Adds a plot after the plots before.
    HistoryPlot& plot(std::string id, std::string title) { return plots.emplace_back(std::move(id), std::move(title)); }
};

}  // namespace emergence
