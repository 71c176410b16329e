// One verdict everywhere: what a run logs, shows, counts and says of its networks is what identify says of them.
#include "core/experiments/in_context_td/seed/td_seed.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/identify.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"
#include "core/lab/figures/figures.h"
#include "core/lab/views/run_views.h"
#include "core/models/constructions.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::td_verdict_test {
namespace {

using namespace testing;

#ifdef __SANITIZE_ADDRESS__  // where a verdict on four features takes seconds
const std::string kVerdictFeatures = "2";
const std::vector<const char*> kDepths = {"2"};
#else
const std::string kVerdictFeatures = "4";
const std::vector<const char*> kDepths = {"1", "2", "3", "4", "6"};
#endif

Changes small_with(const Changes& more) {
    Changes all = {
        {"seeds", "2"}, {"d", kVerdictFeatures}, {"bank_size", "64"}, {"num_mrps", "200"}, {"log_interval", "20"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

// Every place that says what these networks compute, at the present moment.
void check_agreement(RunOf& run, const MetricHistory& history) {
    const Snapshot snapshot = run.snapshot();
    const std::vector<IdentifiedNetwork> found = identify(snapshot, 2);
    std::map<std::string, int> labels;
    int own = 0;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        const SeedStatus& seed = snapshot.seeds[k];
        REQUIRE(seed.judged.has_value());
        CHECK(seed.judged->verdict == found[k].verdict);
        CHECK(seed.judged->sentence == found[k].sentence);
        CHECK(seed.judged->label == found[k].label);
        CHECK(holds(network_words(snapshot, seed), found[k].sentence));
        const auto last = [&](const char* metric) { return history.column(metric, static_cast<int>(k)).back(); };
        CHECK(std::string(name_of(static_cast<VerdictName>(last("verdict")))) == found[k].verdict);
        if (std::isfinite(found[k].fit.unexplained)) CHECK(last("map_unexplained") == found[k].fit.unexplained);
        if (seed.judged->own) CHECK(last("computes_own") == (*seed.judged->own ? 1 : 0));
        // A name never stands beside an interval that excludes it without the words that say so.
        const bool td = found[k].verdict == "td";
        if (td && (found[k].c.low > 0 || found[k].c.high < 0))
            CHECK(holds(found[k].sentence, "% of the residual gradient"));
        if (td && (found[k].beta.low > 1 || found[k].beta.high < 1)) CHECK(holds(found[k].sentence, "instead of"));
        ++labels[seed.judged->label];
        own += is_counted(seed) ? 1 : 0;
    }
    // The headline, the map's count, the description.
    const std::string result = result_words(snapshot);
    const std::string count = own == 0 && !snapshot.headline.empty() ? "" : fmt::format("{} of ", own);
    if (!snapshot.algorithm.empty()) CHECK(result.starts_with(fmt::format("{}{} ", count, snapshot.seeds.size())));
    const ExperimentInfo& info = find_experiment("td");
    const std::vector<std::string> said = describe_state(info, snapshot).sentences;
    CHECK(std::find(said.begin(), said.end(), result + ".") != said.end());
    for (const MetricPlot& description : run.study().metric_plots()) {
        if (description.id != "map") continue;
        const PlotSpec plot = history.plot(description, {}, snapshot.step);
        int marks = 0;
        for (const Series& series : plot.series)
            for (size_t i = 0; i < series.details.words.size(); ++i, ++marks) {
                const auto seed = std::find_if(snapshot.seeds.begin(), snapshot.seeds.end(),
                                               [&](const SeedStatus& one) { return one.seed == series.seeds[i]; });
                REQUIRE(seed != snapshot.seeds.end());
                // A row does not say whether the fit has come to rest.
                CHECK(seed->judged->sentence.starts_with(series.details.words[i]));
            }
        CHECK(marks == static_cast<int>(snapshot.seeds.size()));
        if (snapshot.seeds.size() > 1 && labels.size() == 1) CHECK(holds(plot.readout, labels.begin()->first));
    }
}

// The first, a middle and the last moment.
void check_moments(const Changes& changes) {
    RunOf run("td", small_with(changes));
    for (const int64_t step : {0, 100, 200}) {
        CAPTURE(step);
        const MetricHistory history = run.history_to(step);
        check_agreement(run, history);
    }
}

// Theorem 1's P and Q for d = 4, their bootstrapping times `bootstrap`, as a run that stands still.
MetricHistory history_of(double bootstrap, const Changes& changes) {
    ConstructedLayer layer = td_construction(0.7 * Mat::Identity(4, 4));
    layer.Q.block(0, 4, 4, 4) *= bootstrap;
    testing::Scratch scratch;
    write_npz(scratch / "w.npz", {{"P", {{1, 9, 9}, floats_of(layer.P)}}, {"Q", {{1, 9, 9}, floats_of(layer.Q)}}});
    Changes all = {{"weights", (scratch / "w.npz").string()}, {"num_mrps", "0"}, {"seeds", "1"}, {"bank_size", "64"}};
    all.insert(all.end(), changes.begin(), changes.end());
    RunOf run("td", all);
    return run.history_to(0);
}

double last(const MetricHistory& history, const char* metric) { return history.column(metric, 0).back(); }

}  // namespace

TEST_CASE("all places agree on what networks of one to six layers compute, count for count") {
    for (const char* layers : kDepths) {
        CAPTURE(layers);
        check_moments({{"num_layers", layers}});
    }
}

TEST_CASE("all places agree on what networks of each loss compute" * doctest::test_suite("release")) {
    for (const char* loss : {"residual_gradient", "monte_carlo", "td_lambda"}) {
        CAPTURE(loss);
        check_moments({{"loss", loss}});
    }
    check_moments({{"mask", "td_lambda"}, {"loss", "td_lambda"}});
    check_moments({{"model", "two_heads"}, {"loss", "average_reward"}});
    check_moments({{"more_losses", "residual gradient"}});
    check_moments({{"sequential", "true"}, {"n", "10"}, {"representable", "true"}});
}

TEST_CASE("between two logged steps the map says of which step its count is, as the headline is of the present one") {
    RunOf run("td", small_with({}));
    const MetricHistory history = run.history_to(110);
    AxisSpec steps;
    steps.label = "MRPs";
    int maps = 0;
    for (const MetricPlot& description : run.study().metric_plots()) {
        if (description.id != "map") continue;
        ++maps;
        CHECK(description.plane->groups.front().name == "networks");
        for (const int64_t step : {100, 110}) {
            const PlotSpec plot = history.plot(description, steps, step);
            CHECK(plot.readout.ends_with(", at 100 MRPs") == (step == 110));
            for (const Series& series : plot.series)
                for (const std::string& words : series.details.words)
                    CHECK(words.ends_with(", at 100 MRPs") == (step == 110));
        }
    }
    CHECK(maps == 1);
}

TEST_CASE("an algorithm has the same words as a verdict and as a decoy") {
    const RunOf run("td", small_with({}));
    for (const MetricInfo& metric : run.study().metrics())
        if (metric.name.ends_with("no_bootstrap")) CHECK(metric.label.ends_with("no bootstrapping"));
}

TEST_CASE("a network computes its algorithm lastingly after ten logged steps in a row, also if it was resumed" *
          doctest::test_suite("release")) {
    RunOf run("td", small_with({{"num_mrps", "1200"}, {"initial_gain", "0.01"}}));
    const MetricHistory history = run.history_to(1200);
    int lasting_networks = 0;
    for (int seed = 0; seed < 2; ++seed) {
        int64_t lasting = 0, first = -1;
        for (size_t i = 0; i < history.steps().size(); ++i) {
            lasting = history.column("computes_own", seed)[i] == 1 ? lasting + 1 : 0;
            CHECK(history.column("emerged_function", seed)[i] == (lasting >= kLastingSteps ? 1 : 0));
            if (lasting == kLastingSteps && first < 0) first = 20 * (static_cast<int64_t>(i) + 1 - lasting);
        }
        const SeedStatus status = run.seed_status(seed);
        CHECK(status.judged->since == first);  // whatever came later
        if (first < 0) continue;
        ++lasting_networks;
        const auto resumed = run.study().make_seed(seed);
        resumed->load(run.save()[static_cast<size_t>(seed)]);
        CHECK(resumed->status().judged->since == status.judged->since);
        CHECK(resumed->status().judged->sentence == status.judged->sentence);
    }
    CHECK(lasting_networks > 0);
}

TEST_CASE("networks that are not linear have no verdict") {
    const RunOf curved("td", small_with({{"activation", "tanh"}}));
    for (const MetricInfo& metric : curved.study().metrics()) CHECK_FALSE(metric.name.starts_with("map_"));
    CHECK_FALSE(curved.snapshot().seeds[0].judged.has_value());
}

TEST_CASE("with theory's weights a network under the mask of traces computes TD(lambda), not TD(0)") {
    const MetricHistory history = history_of(1, {{"mask", "td_lambda"}, {"mask_lambda", "0.9"}});
    CHECK(last(history, "map_lambda") == doctest::Approx(0.9).epsilon(0.01));
    CHECK(last(history, "leaves_td_lambda") < 1e-4);
    CHECK(last(history, "leaves_td") > 0.02);
    CHECK(last(history, "emerged_pattern") == 1);
    CHECK(last(history, "emerged_function") == 1);
    // Half of the bootstrapping: the pattern alone.
    const MetricHistory half = history_of(0.55, {{"mask", "td_lambda"}, {"mask_lambda", "0.9"}});
    CHECK(last(half, "emerged_pattern") == 1);
    CHECK(last(half, "emerged_function") == 0);
}

TEST_CASE("two heads log what both read, a learned mask its lambda from its first value on") {
    const Changes none = {{"num_mrps", "20"}, {"seeds", "1"}, {"d", "2"}, {"bank_size", "64"}};
    const auto with = [&](Changes more) {
        more.insert(more.end(), none.begin(), none.end());
        return more;
    };
    RunOf heads("td", with({{"model", "two_heads"}, {"loss", "average_reward"}}));
    const MetricHistory of_heads = heads.history_to(20);
    for (const char* metric : {"p_reward", "p_memory", "q1_trace_upper_left", "q2_trace_upper_right", "map_mean"})
        CHECK_NOTHROW(of_heads.column(metric, 0));
    CHECK(find_matrix(heads.snapshot(), "P2")->target->values.back() == 1);
    // Nothing is discounted, which the blocks say; another loss on the same network has its gamma.
    CHECK(find_matrix(heads.snapshot(), "Q1")->column_blocks[1].label == "\u03c6'");
    RunOf discounted("td", with({{"model", "two_heads"}}));
    CHECK(find_matrix(discounted.snapshot(), "Q1")->column_blocks[1].label == "\u03b3\u03c6'");
    CHECK(heads.snapshot().algorithm == "average-reward TD");
    RunOf learned("td", with({{"mask", "td_lambda"}, {"mask_lambda", "0.3"}, {"learn_mask_lambda", "true"}}));
    const auto lambda = learned.history_to(20).column("mask_lambda", 0);
    CHECK(lambda.front() == doctest::Approx(0.3));
    CHECK(lambda.back() != lambda.front());
    CHECK(learned.snapshot().algorithm ==
          fmt::format("TD(\u03bb), a trace: the mask's \u03bb is {:.2f}", lambda.back()));
}

TEST_CASE("seeds take turns with losses, each trained as in a run of its own") {
    RunOf mixed("td", small_with({{"more_losses", "residual gradient,monte_carlo"}, {"seeds", "3"}}));
    mixed.advance_to(20);
    const char* losses[] = {"td", "residual_gradient", "monte_carlo"};
    for (int k = 0; k < 3; ++k) {
        const std::string number = std::to_string(k);
        RunOf alone("td", small_with({{"loss", losses[k]}, {"seed", number.c_str()}, {"seeds", "1"}}));
        alone.advance_to(20);
        CHECK(alone.save()[0].at("weights") == mixed.save()[static_cast<size_t>(k)].at("weights"));
    }
    const std::vector<MetricPlot>& plots = mixed.study().metric_plots();
    const auto map = std::find_if(plots.begin(), plots.end(), [](const MetricPlot& plot) { return plot.id == "map"; });
    REQUIRE(map != plots.end());
    CHECK(map->plane->groups.size() == 3);
    CHECK(map->plane->groups[1].name == "residual-gradient loss");
    const MetricHistory history = mixed.history_to(40);
    for (const MetricPlot& plot : plots) {
        if (plot.id != "loss") continue;
        const PlotSpec shown = history.plot(plot, {}, 40);
        REQUIRE(shown.series.size() == 3);  // losses of different meaning have no common mean
        for (size_t i = 0; i < 3; ++i)
            for (size_t k = 0; k < 3; ++k) CHECK(std::isfinite(shown.series[i].rows[k].back()) == (i == k));
    }
}

}  // namespace emergence::td_verdict_test
