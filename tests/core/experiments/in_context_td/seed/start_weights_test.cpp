// Runs of the published code in replay, our own in that code's form, and training that starts from weights in
// a file.
#include "core/experiments/in_context_td/seed/start_weights.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/in_context_td/published/published_run.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/lab/runs/run.h"
#include "core/lab/snapshot.h"
#include "core/lab/store/weights_file.h"
#include "core/models/constructions.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::td_start_test {
namespace {

using testing::data_file;
using testing::message_of;
using testing::RunOf;
using testing::Scratch;

Settings settings_in(const std::filesystem::path& path) {
    Settings settings(find_experiment("td").fields);
    apply(settings_that_made(path), settings);
    settings.set("bank_size", int64_t{32});
    find_experiment("td").check(settings);
    return settings;
}

Settings small_start(const std::vector<std::pair<std::string, FieldValue>>& changes = {}) {
    Settings settings = testing::settings_with("td", {{"seeds", "2"}, {"bank_size", "32"}, {"num_mrps", "40"}});
    for (const auto& [name, value] : changes) settings.set(name, value);
    return settings;
}

std::string start_refusal(const Settings& settings) {
    return message_of<InputError>([&] { find_experiment("td").check(settings); });
}

}  // namespace

TEST_CASE("the sample run is replayed: its weights at every logged step, our scores of them") {
    const Settings settings = settings_in(data_file("wang_code_run"));
    CHECK(settings.integer("num_mrps") == 400);
    RunOf run("td", settings);
    MetricHistory history = run.history_to(0);
    CHECK(history.steps().empty());  // nothing was logged before MRP 10
    const PublishedRun sample = read_published_run(data_file("wang_code_run"));
    for (const int64_t step : {10, 14, 200, 400}) {
        for (const MetricRow& row : run.advance_to(step)) history.append(row);
        const Snapshot snapshot = run.snapshot();
        CHECK(snapshot.step == step);
        const auto logged = static_cast<size_t>(step / 10 - 1);
        const auto& P = std::get<std::vector<float>>(snapshot.weights.at("P").values);
        REQUIRE(P.size() == 81);
        for (size_t i = 0; i < 81; ++i) CHECK(P[i] == sample.P[logged * 81 + i]);
    }
    CHECK(run.finished());
    const Snapshot last = run.snapshot();
    CHECK(last.seeds[0].seed == 3);
    CHECK(last.matrices[0].alignment_note.find("before MRP 10, the first that is logged there") != std::string::npos);
    REQUIRE(history.steps().size() == 40);
    for (const MetricInfo& metric : history.table()) CHECK(metric.name != "loss");
    // On our bank as on the MRP that the published code took: the similarity of a run that has emerged.
    const auto iws = history.column("implicit_weight_similarity", 0);
    const auto logged = history.column("logged_implicit_weight_similarity", 0);
    CHECK(logged == sample.implicit_weight);
    CHECK(iws.back() > 0.85);
    CHECK(iws.back() <= 1.0);
    CHECK(history.column("alpha", 0).back() == doctest::Approx(sample.alpha.back()).epsilon(1e-6));
    CHECK(last.plots.size() >= 1);
    CHECK(std::isfinite(history.column("msve", 0).back()));
}

TEST_CASE("a run of ours through the published code's form comes back the same, shared layers or their own") {
    for (const bool sequential : {false, true}) {
        CAPTURE(sequential);
        const Scratch scratch;
        const Settings settings = small_start({{"sequential", sequential}, {"num_layers", int64_t{2}}});
        RunOf run("td", settings);
        MetricHistory history(run.study().metrics(), 2);
        PublishedRecorder recorder("td", settings);
        std::vector<MetricRow> rows;
        for (int64_t step = 0; step <= 40; step += 10) {
            for (const MetricRow& row : run.advance_to(step)) {
                history.append(row);
                rows.push_back(row);
            }
            recorder.add(run.outline(), history);
        }
        const auto runs = recorder.runs();
        REQUIRE(runs.size() == 2);
        CHECK(runs[1].steps == std::vector<int64_t>{10, 20, 30, 40});
        CHECK(runs[1].params.random_seed == 1);
        for (const PublishedRun& one : runs)
            write_published_run(scratch / ("seed_" + std::to_string(one.params.random_seed)), one);

        RunOf replayed("td", settings_in(scratch.path()));
        const auto again = replayed.advance_to(40);
        const Snapshot ours = run.snapshot(), theirs = replayed.snapshot();
        CHECK(theirs.weights.at("P") == ours.weights.at("P"));
        CHECK(theirs.weights.at("Q") == ours.weights.at("Q"));
        CHECK(theirs.weights.at("alpha") == ours.weights.at("alpha"));
        CHECK(theirs.weights.at("seed") == ours.weights.at("seed"));
        // The logged rows but for the training loss, to the bit; the map's fit began one row later.
        const MetricTable& metrics = run.study().metrics();
        REQUIRE(again.size() == 8);
        for (size_t i = 0; i < again.size(); ++i) {
            const MetricRow& before = rows[i + 2];
            CHECK(again[i].step == before.step);
            CHECK(again[i].seed_index == before.seed_index);
            for (size_t m = 1; m < metrics.size(); ++m)
                if (!metrics[m].name.starts_with("map_")) CHECK(again[i].values[m - 1] == before.values[m]);
        }
    }
}

TEST_CASE("what the form has no place for is told") {
    CHECK(without_published_param(small_start()).empty());
    CHECK(without_published_param(small_start({{"loss", std::string("monte_carlo")}, {"initial_gain", 0.2}})) ==
          std::vector<std::string>{"loss", "initial_gain"});
    CHECK_THROWS_WITH_AS(PublishedRecorder("td", small_start({{"model", std::string("rnn")}})),
                         "model: the published code's form holds P and Q of attention, not weights of another model",
                         InputError);
    CHECK_THROWS_WITH_AS(PublishedRecorder("regression", small_start()), doctest::Contains("not weights of regression"),
                         InputError);
}

TEST_CASE("settings that are not those of the run in replay are refused") {
    Settings settings = settings_in(data_file("wang_code_run"));
    const auto changed = [&settings](const std::string& name, const FieldValue& value) {
        Settings other = settings;
        other.set(name, value);
        return start_refusal(other);
    };
    CHECK(changed("num_layers", int64_t{2}) == "num_layers: it is 2, but the run in replay has 3");
    CHECK(changed("d", int64_t{5}) == "d: it is 5, but the run in replay has 4");
    CHECK(changed("seeds", int64_t{8}) == "seeds: it is 8, but the run in replay has 1");
    CHECK(changed("sequential", true).find("sequential: it is true") == 0);
    CHECK(changed("model", std::string("rnn")).find("model: a run in replay has") == 0);
    CHECK(changed("weights", std::string("w.npz")).find("weights: a run in replay brings") == 0);
    CHECK(changed("replay", std::string("nowhere")).find("replay: 'nowhere' is not a folder") == 0);
    // What is measured may be changed: the authors' network on loops.
    CHECK(changed("task", std::string("loop")) == "");
}

TEST_CASE("a weight that is not finite ends the seed that has it, with the reason") {
    const Scratch scratch;
    PublishedRun run = read_published_run(data_file("wang_code_run"));
    run.P[20 * 81 + 5] = std::numeric_limits<float>::quiet_NaN();
    write_published_run(scratch.path(), run);
    RunOf replayed("td", settings_in(scratch.path()));
    replayed.advance_to(400);
    CHECK(replayed.seed_status(0).failed);
    CHECK(replayed.seed_status(0).reason.find("not finite (after step 200)") != std::string::npos);
    run.P[5] = std::numeric_limits<float>::infinity();
    write_published_run(scratch.path(), run);
    CHECK(message_of<InputError>([&] {
              RunOf("td", settings_in(scratch.path()));
          }).find("run 1 begins with an entry that is not finite") != std::string::npos);
}

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
    const PublishedRun sample = read_published_run(data_file("wang_code_run"));
    const auto start = start_weights(config_from<InContextTdConfig>(small_start({{"weights", theirs}})), 1);
    REQUIRE(start);
    CHECK(start->alpha == static_cast<float>(sample.alpha.back()));
    for (size_t i = 0; i < 81; ++i) CHECK(start->weights[i] == sample.P[39 * 81 + i]);

    CHECK(start_refusal(small_start({{"weights", theirs}, {"d", int64_t{3}}}))
              .find("data.npz: array 'P' is 40 x 1 x 9 x 9, but these settings ask for 1 x 7 x 7") !=
          std::string::npos);
    CHECK(start_refusal(small_start({{"weights", file}, {"seeds", int64_t{3}}}))
              .find("array 'P' holds 2 networks, but there are more seeds. Use --seeds 2") != std::string::npos);
    CHECK(start_refusal(small_start({{"weights", file}, {"sequential", true}})).find("ask for 3 x 9 x 9") !=
          std::string::npos);
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
              .find("is 9 x 9, but these settings ask for 3 x 9 x 9 (layers x D x D, D = 2 d + 1)") !=
          std::string::npos);
    CHECK(start_refusal(small_start({{"weights", (scratch / "none.npz").string()}})).find("none.npz: cannot be read") !=
          std::string::npos);
    CHECK(start_refusal(small_start({{"weights", std::string("/dev/zero")}})) == "weights: /dev/zero: is no file");
    CHECK(start_refusal(small_start({{"weights", scratch.path().string()}})).find("is no file") != std::string::npos);
    Array broken = {{1, 9, 9}, std::vector<float>(81, 1.0F)};
    write_npz(scratch / "broken.npz", {{"P", broken}});
    const std::string part = (scratch / "broken.npz").string();
    CHECK(start_refusal(small_start({{"weights", part}})).find("array 'Q' is missing") != std::string::npos);
    std::get<std::vector<float>>(broken.values)[7] = std::numeric_limits<float>::infinity();
    write_npz(scratch / "broken.npz", {{"P", broken}, {"Q", broken}});
    CHECK(start_refusal(small_start({{"weights", part}})).find("array 'P' has an entry that is not finite") !=
          std::string::npos);
    CHECK(holds_bare_weights(scratch / "broken.npz"));
    CHECK_FALSE(holds_bare_weights(file));
    CHECK_FALSE(holds_bare_weights(scratch / "none.npz"));
    CHECK_FALSE(holds_bare_weights(scratch.path()));
}

namespace {

// The weights of theory with C = alpha I, without a step size of batch TD.
std::string constructed_file(const Scratch& scratch, double alpha) {
    const ConstructedLayer layer = td_construction(alpha * Eigen::MatrixXd::Identity(4, 4));
    std::vector<double> P(81), Q(81);
    for (int i = 0; i < 81; ++i) {
        P[static_cast<size_t>(i)] = layer.P(i / 9, i % 9);
        Q[static_cast<size_t>(i)] = layer.Q(i / 9, i % 9);
    }
    const std::string file = (scratch / "constructed.npz").string();
    write_npz(file, {{"P", {{1, 9, 9}, P}}, {"Q", {{1, 9, 9}, Q}}});
    return file;
}

double last_value(const Run& run, const std::vector<MetricRow>& rows, const std::string& metric) {
    const MetricTable& table = run.study().metrics();
    for (size_t i = 0; i < table.size(); ++i)
        if (table[i].name == metric) return rows.back().values[i];
    FAIL("no metric " << metric);
    return 0.0;
}

}  // namespace

TEST_CASE("batch TD beside weights of a file has the step size that fits them, and its name says which") {
    for (const double alpha : {0.07, 0.5, 1.9}) {
        CAPTURE(alpha);
        const Scratch scratch;
        const std::string file = constructed_file(scratch, alpha);
        RunOf run("td", small_start({{"weights", file}, {"num_mrps", int64_t{0}}}));
        const auto rows = run.advance_to(0);
        CHECK(last_value(run, rows, "alpha") == doctest::Approx(alpha).epsilon(1e-4));
        CHECK(last_value(run, rows, "unexplained") < 1e-8);
        const PlotSpec plot = run.snapshot().plots.at(0);
        CHECK(plot.series[1].name == fmt::format("batch TD, \u03b1 = {}", alpha));
        CHECK(plot.note.find("nearest to the network's") != std::string::npos);
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
    CHECK(last_value(trained, trained.advance_to(0), "alpha") == 1.0);
    CHECK(trained.snapshot().plots.at(0).series[1].name == "batch TD");
}

TEST_CASE("the line-up of weights that stand still has settled, and says how far") {
    const Scratch scratch;
    const std::string file = constructed_file(scratch, 0.5);
    for (const bool no_steps : {true, false}) {
        CAPTURE(no_steps);
        Settings settings = small_start({{"weights", file}, {"line_up", true}, {"seeds", int64_t{1}}});
        settings.set("num_mrps", int64_t{no_steps ? 0 : 10});
        settings.set("learning_rate", no_steps ? 1e-3 : 0.0);
        settings.set("bank_size", int64_t{128});
        RunOf run("td", settings);
        const auto rows = run.advance_to(run.study().target_step());
        CHECK(last_value(run, rows, "unexplained_td") < 1e-10);
        CHECK(last_value(run, rows, "line_up_alpha") == doctest::Approx(0.5).epsilon(1e-4));
        const Snapshot snapshot = run.snapshot();
        const auto scalar = [&](const std::string& name) {
            for (const Scalar& one : snapshot.scalars)
                if (one.name == name) return one.value;
            FAIL("no number " << name);
            return 0.0;
        };
        CHECK(scalar("line_up_most_steps") > 2);
        CHECK(scalar("line_up_gradient") < 1e-3);
        // Its state is saved whole.
        RunOf again("td", settings);
        again.load(run.save());
        CHECK(again.snapshot().weights == snapshot.weights);
    }
}

}  // namespace emergence::td_start_test
