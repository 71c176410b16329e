// Builders of plots, and metrics that are declared once.
#include "core/lab/views/measured.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a plot is built as its specification") {
    Plot plot("flow", "Expected updates");
    plot.x("a").from(-1.0).to(2.0);
    plot.y("b").unit("nats").logarithmic().cut(3.0);
    plot.line("seeds", {0.0, 1.0}, {{1.0, 2.0}, {3.0, 4.0}}).color(2).dashed();
    plot.points("end", {1.0}, {2.0});
    plot.level("floor", 0.5).mark("trained", 30.0).note("Help.").leads();
    const PlotSpec spec = plot;
    CHECK(spec.id == "flow");
    CHECK(spec.title == "Expected updates");
    CHECK(spec.x.minimum == -1.0);
    CHECK(spec.x.maximum == 2.0);
    CHECK(spec.y.unit == "nats");
    CHECK(spec.y.scale == Scale::logarithmic);
    CHECK(spec.y.cut == 3.0);
    REQUIRE(spec.series.size() == 2);
    CHECK(spec.series[0].rows[1] == std::vector<double>{3.0, 4.0});
    CHECK(spec.series[0].color == 2);
    CHECK(spec.series[0].dashed);
    CHECK_FALSE(spec.series[0].points);
    CHECK(spec.series[1].points);
    CHECK(spec.series[1].rows == std::vector<std::vector<double>>{{2.0}});
    CHECK_FALSE(spec.lines[0].vertical);
    CHECK(spec.lines[1].vertical);
    CHECK(spec.note == "Help.");
    CHECK(spec.leads);
}

TEST_CASE("a plot of the history names metrics, and a line may have its own label") {
    HistoryPlot plot("loss", "Training loss");
    plot.line("loss").color(1);
    plot.line("zero").label("no update").dashed();
    plot.level("floor", 0.5).best_by({"loss"});
    const MetricPlot spec = plot;
    REQUIRE(spec.lines.size() == 2);
    CHECK(spec.lines[0].metric == "loss");
    CHECK(spec.lines[0].label.empty());
    CHECK(spec.lines[0].color == 1);
    CHECK(spec.lines[1].label == "no update");
    CHECK(spec.lines[1].dashed);
    CHECK(spec.references[0].value == 0.5);
    CHECK(spec.best_by == std::vector<std::string>{"loss"});
}

TEST_CASE("metrics are declared once: their table and their values have the same order") {
    struct Scores {
        double msve = 2.0;
    };
    struct Measured {
        double loss = 1.0;
        Scores scores;
    };
    Metrics<Measured> metrics = {{"loss", "loss", "Mean loss.", &Measured::loss},
                                 {"msve", "MSVE", "Value error.", of(&Measured::scores, &Scores::msve)}};
    metrics.add({"both", "both", "Their sum.", [](const Measured& m) { return m.loss + m.scores.msve; }});
    CHECK(metrics.values({}) == std::vector<double>{1.0, 2.0, 3.0});
    REQUIRE(metrics.table().size() == 3);
    CHECK(metrics.table()[1].name == "msve");
    CHECK(metrics.table()[1].label == "MSVE");
    CHECK(metrics.table()[2].help == "Their sum.");
}
