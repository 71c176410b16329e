// Training that starts from weights in a file.
#include "core/experiments/in_context_td/seed/td_seed.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"
#include "core/lab/runs/run.h"
#include "core/lab/snapshot.h"
#include "core/lab/store/checkpoint.h"
#include "core/models/constructions.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::td_start_test {
namespace {

using namespace testing;

Settings small_start(const std::vector<std::pair<std::string, FieldValue>>& changes = {}) {
    Settings settings = testing::settings_of("td", "seeds=2, bank_size=32, num_mrps=40");
    for (const auto& [name, value] : changes) settings.set(name, value);
    return settings;
}

std::string start_refusal(const Settings& settings) {
    return message_of<InputError>([&] { find_experiment("td").check(settings); });
}

}  // namespace

TEST_CASE("training starts from weights in a file: ours, the published code's, of any seeds") {
    const Scratch scratch;
    RunOf first("td", small_start());
    first.advance_to(40);
    const std::string file = (scratch / "weights.npz").string();
    write_npz(file, weights_file(first.snapshot()));
    RunOf second("td", small_start({{"weights", file}}));
    second.advance_to(0);
    CHECK(second.snapshot().weights == first.snapshot().weights);
    // The norm at the start is of the mean that is shown, as is the norm now.
    const Snapshot start_of_second = second.snapshot();
    const HeatmapSpec shown = heatmap_of(start_of_second, start_of_second.matrices[0], {MatrixView::Mode::raw});
    CHECK(*shown.norm == doctest::Approx(shown.norm_reference));
    second.advance_to(10);
    CHECK(second.snapshot().weights.at("P") != first.snapshot().weights.at("P"));
    CHECK_FALSE(second.seed_status(0).failed);

    // The last logged weights of the published code's run serve every seed.
    const std::string theirs = data_file("wang_code_run/data.npz").string();
    const ArrayMap sample = read_npz(theirs);
    const auto start = start_weights(config_from<InContextTdConfig>(small_start({{"weights", theirs}})), 1);
    REQUIRE(start);
    CHECK(start->alpha == static_cast<float>(as_doubles(sample.at("alpha")).back()));
    const std::vector<double> P = as_doubles(sample.at("P"));
    for (size_t i = 0; i < 81; ++i) CHECK(start->weights[i] == static_cast<float>(P[39 * 81 + i]));

    CHECK(start_refusal(small_start({{"weights", theirs}, {"d", int64_t{3}}}))
              .find("data.npz: array 'P' is 40 x 1 x 9 x 9, but these settings need 1 x 7 x 7") != std::string::npos);
    CHECK(start_refusal(small_start({{"weights", file}, {"seeds", int64_t{3}}}))
              .find("array 'P' holds 2 networks, but more seeds were asked for. Use --seeds 2") != std::string::npos);
    CHECK(holds(start_refusal(small_start({{"weights", file}, {"sequential", true}})), "need 3 x 9 x 9"));
    // One layer's matrix may come without saying that it is one; what is allowed is said otherwise.
    ArrayMap single;
    for (const char* name : {"P", "Q"}) {
        Array matrix{{9, 9}, std::vector<float>(81)};
        for (size_t i = 0; i < 81; ++i) std::get<std::vector<float>>(matrix.values)[i] = 0.01F * static_cast<float>(i);
        single[name] = matrix;
    }
    const std::string alone = (scratch / "single.npz").string();
    write_npz(alone, single);
    const auto of_one = start_weights(config_from<InContextTdConfig>(small_start({{"weights", alone}})), 0);
    REQUIRE(of_one);
    for (size_t i = 0; i < 81; ++i) CHECK(of_one->weights[i] == 0.01F * static_cast<float>(i));
    CHECK(start_refusal(small_start({{"weights", alone}, {"sequential", true}}))
              .find("is 9 x 9, but these settings need 3 x 9 x 9 (layers x D x D, D = 2 d + 1)") != std::string::npos);
    CHECK(
        holds(start_refusal(small_start({{"weights", (scratch / "none.npz").string()}})), "none.npz: cannot be read"));
    CHECK(start_refusal(small_start({{"weights", std::string("/dev/zero")}})) == "weights: /dev/zero: is not a file");
    CHECK(holds(start_refusal(small_start({{"weights", scratch.path().string()}})), "is not a file"));
    Array broken = {{1, 9, 9}, std::vector<float>(81, 1.0F)};
    write_npz(scratch / "broken.npz", {{"P", broken}});
    const std::string part = (scratch / "broken.npz").string();
    CHECK(holds(start_refusal(small_start({{"weights", part}})), "array 'Q' is missing"));
    std::get<std::vector<float>>(broken.values)[7] = std::numeric_limits<float>::infinity();
    write_npz(scratch / "broken.npz", {{"P", broken}, {"Q", broken}});
    CHECK(holds(start_refusal(small_start({{"weights", part}})), "array 'P' has an entry that is not finite"));
    CHECK(holds_bare_weights(scratch / "broken.npz"));
    CHECK_FALSE(holds_bare_weights(file));
    CHECK_FALSE(holds_bare_weights(scratch / "none.npz"));
    CHECK_FALSE(holds_bare_weights(scratch.path()));
}

namespace {

// The weights of theory with C = alpha I, without a step size of batch TD.
std::string constructed_file(const Scratch& scratch, double alpha) {
    const ConstructedLayer layer = td_construction(alpha * Mat::Identity(4, 4));
    const std::string file = (scratch / "constructed.npz").string();
    write_npz(file, {{"P", {{1, 9, 9}, floats_of(layer.P)}}, {"Q", {{1, 9, 9}, floats_of(layer.Q)}}});
    return file;
}

}  // namespace

TEST_CASE("batch TD beside weights of a file has the step size that fits them, and its name says which") {
    for (const double alpha : {0.07, 0.5, 1.9}) {
        CAPTURE(alpha);
        const Scratch scratch;
        const std::string file = constructed_file(scratch, alpha);
        RunOf run("td", small_start({{"weights", file}, {"num_mrps", int64_t{0}}}));
        const MetricHistory history = run.history_to(0);
        CHECK(history.column("alpha", 0).back() == doctest::Approx(alpha).epsilon(1e-4));
        CHECK(history.column("unexplained", 1).back() < 1e-8);
        const PlotSpec plot = run.snapshot().plots.at(0);
        CHECK(plot.series[1].name == fmt::format("batch TD, \u03b1 = {}", alpha));
        CHECK(holds(plot.note, "nearest to the network's"));
    }
    // A step size in the file is the user's.
    const Scratch scratch;
    const std::string file = constructed_file(scratch, 0.5);
    ArrayMap arrays = read_npz(file);
    arrays["alpha"] = {{1}, std::vector<double>{0.25}};
    write_npz(file, arrays);
    RunOf own("td", small_start({{"weights", file}, {"num_mrps", int64_t{0}}}));
    own.advance_to(0);
    CHECK(own.snapshot().plots.at(0).series[1].name == "batch TD, \u03b1 = 0.25");
    // Without a file it is trained from 1 on, and has no number in its name.
    RunOf trained("td", small_start());
    CHECK(trained.history_to(0).column("alpha", 0).back() == 1.0);
    CHECK(trained.snapshot().plots.at(0).series[1].name == "batch TD");
}

TEST_CASE("weights that stand still are judged at once, and the step size that made them is found") {
    const Scratch scratch;
    RunOf run(
        "td",
        small_start({{"weights", constructed_file(scratch, 0.5)}, {"seeds", int64_t{1}}, {"num_mrps", int64_t{0}}}));
    const MetricHistory history = run.history_to(0);
    CHECK(history.column("leaves_td", 0).back() < 1e-8);
    CHECK(run.snapshot().seeds[0].judged->verdict == "td");
    CHECK(history.column("emerged_function", 0).back() == 1);
}

}  // namespace emergence::td_start_test
