#include "core/experiments/in_context_td/seed/td_line_up.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "core/experiments/in_context_td/figures/td_figures.h"
#include "core/experiments/in_context_td/seed/td_metrics.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/figure_results.h"
#include "tests/support/small_runs.h"

TEST_SUITE_BEGIN("release");

namespace emergence::td_lineup_test {
namespace {

using testing::RunOf;

Settings with_line_up() {
    return testing::settings_with(
        "td", {{"seeds", "2"}, {"bank_size", "64"}, {"num_mrps", "60"}, {"num_layers", "2"}, {"line_up", "true"}});
}

}  // namespace

TEST_CASE("the line-up goes along with training: shares, parameters, fitted matrices") {
    RunOf run("td", with_line_up());
    const MetricHistory history = run.history_to(60);
    const Snapshot snapshot = run.snapshot();
    const NamedMatrix* fitted = find_matrix(snapshot, "C1");
    REQUIRE(fitted != nullptr);
    CHECK(fitted->seeds[0].rows == 4);
    for (int seed = 0; seed < 2; ++seed)
        for (const FamilyText& text : family_texts()) {
            const double share = history.column(std::string("unexplained_") + text.name, seed).back();
            CHECK(share > 0);
            CHECK(std::isfinite(share));  // judged on few prompts, by fits to few
        }
    const auto& plots = run.study().metric_plots();
    CHECK(plots[0].id == "line_up");
    CHECK(plots[0].lines.size() == 8);  // and the point of the map
    CHECK(plots[1].lines.size() == 4);
    // Figure 2 keeps its own two plots, and the line-up stands below them.
    const FigureSpec figure = find_experiment("td").figures[0].draw(snapshot, history).figure;
    std::set<std::string> drawn;
    for (const FigureCell& cell : figure.cells)
        if (const auto* plot = std::get_if<PlotSpec>(&cell.content)) drawn.insert(plot->id);
    CHECK(drawn == std::set<std::string>{"element_wise", "similarity", "line_up"});
}

TEST_CASE("it changes nothing of the training") {
    Settings without = with_line_up();
    without.set("line_up", false);
    RunOf plain("td", without), beside("td", with_line_up());
    plain.advance_to(20);
    beside.advance_to(20);
    for (const char* name : {"P", "Q", "alpha"})
        CHECK(plain.snapshot().weights.at(name) == beside.snapshot().weights.at(name));
}

TEST_CASE("there is none for networks that are not linear") {
    Settings settings = with_line_up();
    settings.set("activation", std::string("tanh"));
    const auto config = config_from<InContextTdConfig>(settings);
    CHECK_FALSE(has_line_up(config));
    Metrics<TdMeasured> metrics = {};
    add_line_up_metrics(config, metrics);
    CHECK(metrics.table().empty());
}

}  // namespace emergence::td_lineup_test

TEST_SUITE_END();
