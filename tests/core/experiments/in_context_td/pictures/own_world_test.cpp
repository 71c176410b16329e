#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/in_context_td/td.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/algorithms/context_algorithms.h"
#include "core/base/error.h"
#include "core/settings/toml.h"
#include "tests/support/matrices.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("release");

namespace {

Settings world_settings_of(const std::vector<std::pair<std::string, FieldValue>>& changes = {}) {
    Settings settings = emergence::testing::settings_with(
        "td", {{"seeds", "2"}, {"bank_size", "32"}, {"num_states", "6"}, {"look_inside", "world"}});
    for (const auto& [name, value] : changes) settings.set(name, value);
    return settings;
}

InContextTdConfig config_of(const std::vector<std::pair<std::string, FieldValue>>& changes = {}) {
    return config_from<InContextTdConfig>(world_settings_of(changes));
}

double number_of(const Snapshot& snapshot, const std::string& name) {
    const auto& numbers = snapshot.scenes.at(0).moments->front().numbers;
    const auto found =
        std::find_if(numbers.begin(), numbers.end(), [&](const DrawnNumber& n) { return n.name == name; });
    REQUIRE_MESSAGE(found != numbers.end(), name);
    return found->value;
}

// Mean square error in the ring's four states, weighted by the stationary distribution, of the network "_seed_0"; of
// predicting zero for "".
double square_error(const Snapshot& snapshot, const std::string& network) {
    double sum = 0.0;
    for (int s = 1; s <= 4; ++s) {
        const double value = network.empty() ? 0.0 : number_of(snapshot, fmt::format("network_{}{}", s, network));
        const double error = value - number_of(snapshot, fmt::format("true_{}", s));
        sum += number_of(snapshot, fmt::format("stationary_{}", s)) * error * error;
    }
    return sum;
}

std::string edit_refusal(const std::string& edits, const std::vector<std::pair<std::string, FieldValue>>& more = {}) {
    auto changes = more;
    changes.emplace_back("world_edits", edits);
    return message_of<InputError>([&] { in_context_td().check(world_settings_of(changes)); });
}

}  // namespace

TEST_CASE("the value error in a world of one's own is a number of the run, the first") {
    const std::string file = (source_dir() / "assets/worlds/corridor.toml").string();
    Settings settings = world_settings_of({{"world_file", file}});
    settings.set("d", int64_t{4});
    RunOf trained("td", settings);
    trained.advance_to(10);
    const Snapshot snapshot = trained.snapshot();
    REQUIRE(snapshot.scalars.size() > 3);
    CHECK(snapshot.scalars[0].name == "world_msve");
    CHECK(snapshot.scalars[1].name == "world_msve_batch_td");
    CHECK(snapshot.scalars[2].label.starts_with("MSVE on held-out MRPs at n = "));
    // From the values that are drawn.
    const TdWorld world =
        td_world(config_from<InContextTdConfig>(settings), own_world(config_from<InContextTdConfig>(settings)).get());
    double sum = 0.0;
    for (int seed = 0; seed < 2; ++seed)
        for (int s = 0; s < world.num_states(); ++s) {
            const double off = number_of(snapshot, fmt::format("network_{}_seed_{}", s + 1, seed)) - world.v[s];
            sum += world.stationary[s] * off * off / 2;
        }
    CHECK(snapshot.scalars[0].value == doctest::Approx(sum));
    RunOf others("td", world_settings_of());
    CHECK(others.snapshot().scalars[0].name == "msve");
}

TEST_CASE("an edited row keeps what was set and shares the rest in its old proportions") {
    Mrp mrp;
    mrp.transition = matrix({{0.2, 0.3, 0.5}, {0.0, 1.0, 0.0}, {0.4, 0.3, 0.3}});
    mrp.initial = Vec::Constant(3, 1.0 / 3);
    mrp.reward = Vec::of({1, 2, 3});
    mrp.features = Mat::Constant(2, 3, 1.0);
    const Mrp one = edited(mrp, {{"p1,3", 0.0}, {"r2", -1.0}, {"phi3,2", 0.5}});
    CHECK((one.transition.row(0) - Vec::of({0.4, 0.6, 0.0}).transpose()).norm() < 1e-15);
    CHECK(one.transition.bottomRows(2) == mrp.transition.bottomRows(2));
    CHECK(one.reward == Vec::of({1, -1, 3}));
    CHECK(one.features(1, 2) == 0.5);
    CHECK(one.features(0, 2) == 1.0);
    // Two that were set; and one whose others have nothing, in equal parts.
    const Mrp two = edited(mrp, {{"p1,1", 0.5}, {"p1,2", 0.5}, {"p2,2", 0.4}});
    CHECK((two.transition.row(0) - Vec::of({0.5, 0.5, 0.0}).transpose()).norm() < 1e-15);
    CHECK((two.transition.row(1) - Vec::of({0.3, 0.4, 0.3}).transpose()).norm() < 1e-15);
    CHECK(edited(mrp, {}).transition == mrp.transition);
}

TEST_CASE("edits that name nothing or cannot be are refused in words") {
    CHECK(edit_refusal("r1=2 p2,3=0.5 phi6,4=-1") == "");
    CHECK(edit_refusal("q1=2").find("world_edits: 'q1' is not one of p1,2") == 0);
    CHECK(edit_refusal("r1,2=2").find("world_edits: 'r1,2' is not one of") == 0);
    CHECK(edit_refusal("p1=2").find("world_edits: 'p1' is not one of") == 0);
    CHECK(edit_refusal("r7=1") == "world_edits: 'r7': '7' is not from 1 to 6");
    CHECK(edit_refusal("phi1,5=1") == "world_edits: 'phi1,5': '5' is not from 1 to 4");
    CHECK(edit_refusal("p1,x=1") == "world_edits: 'p1,x': 'x' is not from 1 to 6");
    CHECK(edit_refusal("p1,2=1.5") == "world_edits: 'p1,2': 1.5 is not a probability, from 0 to 1");
    CHECK(edit_refusal("p1,2=0.8 p1,3=0.4").find("world_edits: the probabilities set from state 1 sum to 1.2") == 0);
    CHECK(edit_refusal("r1=") == "world_edits: 'r1=': '' is not a number");
    CHECK(edit_refusal("p5,5=1 p6,6=1").find("world_edits: the chain can get trapped in several") == 0);
    // Nothing is looked at, nothing is refused.
    CHECK(edit_refusal("q1=2", {{"look_inside", std::string("nothing")}}) == "");
    CHECK(edit_refusal("", {{"world_file", std::string("nowhere.toml")}})
              .find("world_file: 'nowhere.toml' is not a file") == 0);
}

TEST_CASE("what is drawn of a held-out world are its exact values and those of network and batch TD") {
    RunOf run("td", world_settings_of({{"world_state", int64_t{3}}, {"shown_seed", int64_t{1}}}));
    run.advance_to(20);
    const Snapshot snapshot = run.snapshot();
    REQUIRE(snapshot.scenes.size() == 2);  // the second one is the prompt
    const auto config = config_of();
    Mrp mrp;
    draw_mrp(task_options(config), derive_seed(0, Purpose::held_out), 0, mrp);
    const Vec v = true_value(mrp, 0.9), stationary = stationary_distribution(mrp);
    Stream stream(derive_seed(0, Purpose::held_out), Purpose::trajectory, 0);
    const Transitions context = transitions_along(mrp, 0.9, draw_path(mrp, 30, stream));
    const auto seeds = trained_seeds(network_shape(config), snapshot);
    for (size_t k = 0; k < 2; ++k) {
        const Mat C = static_cast<double>(seeds[k].alpha) * Mat::Identity(4, 4);
        const Vec w = batch_td(context, {C}, 3).back();
        const TdWorld world = td_world(config, nullptr);
        const TdTrace trace = microscope_trace(config, world, seeds[k]);
        for (int s = 0; s < 6; ++s) {
            const auto at = [&](const char* what) {
                return number_of(snapshot, what + std::to_string(s + 1) + "_seed_" + std::to_string(k));
            };
            CHECK(at("batch_td_") == doctest::Approx(w.dot(mrp.features.col(s))).epsilon(1e-12));
            CHECK(at("network_") == doctest::Approx(trace.network.row(3).dot(mrp.features.col(s))).epsilon(1e-4));
        }
    }
    for (int s = 0; s < 6; ++s) {
        CHECK(number_of(snapshot, "true_" + std::to_string(s + 1)) == v[s]);
        CHECK(number_of(snapshot, "stationary_" + std::to_string(s + 1)) == stationary[s]);
    }
    const DrawingSpec& drawing = snapshot.scenes[0].moments->front();
    CHECK(drawing.title == "Held-out MRP 0, seed 1");
    // Every reward, and the chosen state's row and features can be taken hold of; every state can be chosen.
    const auto has = [&](const std::string& name) {
        return std::any_of(drawing.handles.begin(), drawing.handles.end(),
                           [&](const DrawnHandle& handle) { return handle.name == name; });
    };
    for (int s = 1; s <= 6; ++s) {
        CHECK(has("r" + std::to_string(s)));
        CHECK(has("p3," + std::to_string(s)));
        CHECK(has("state " + std::to_string(s)));
    }
    for (int k = 1; k <= 4; ++k) CHECK(has("phi3," + std::to_string(k)));
    // Above and below zero a bar reaches half as far again as any reward on its side, about, and each side
    // half as far as the other at least.
    const double up = std::max(mrp.reward.maxCoeff(), 0.0), down = std::max(-mrp.reward.minCoeff(), 0.0);
    const auto first = std::find_if(drawing.handles.begin(), drawing.handles.end(),
                                    [](const DrawnHandle& handle) { return handle.name == "r1"; });
    const double least = std::max(up, down) / 2;
    for (const auto& [reach, side] : {std::pair(first->maximum, up), std::pair(-first->minimum, down)}) {
        CHECK(reach >= 1.5 * std::max(side, least));
        CHECK(reach <= 2.5 * std::max(side, least));
    }
}

TEST_CASE("an edited world is the world with these numbers, and an edit taken back leaves nothing") {
    Settings edits = world_settings_of({{"world_edits", std::string("p2,4=0.25 r3=-2 phi1,2=0.5")}});
    RunOf run("td", world_settings_of());
    run.advance_to(30);
    const Snapshot before = run.snapshot();
    run.set_live(edits);
    const Snapshot dragged = run.snapshot();
    run.set_live(world_settings_of());
    const Snapshot after = run.snapshot();
    const auto& numbers = dragged.scenes[0].moments->front().numbers;
    for (size_t i = 0; i < numbers.size(); ++i) {
        CAPTURE(numbers[i].name);
        CHECK(after.scenes[0].moments->front().numbers[i].value == before.scenes[0].moments->front().numbers[i].value);
    }
    Mrp drawn;
    draw_mrp(task_options(config_of()), derive_seed(0, Purpose::held_out), 0, drawn);
    const Vec v = true_value(edited(drawn, {{"p2,4", 0.25}, {"r3", -2.0}, {"phi1,2", 0.5}}), 0.9);
    for (int s = 0; s < 6; ++s) CHECK(number_of(dragged, fmt::format("true_{}", s + 1)) == doctest::Approx(v[s]));
    CHECK(number_of(dragged, "true_3") != number_of(before, "true_3"));
    CHECK(number_of(dragged, "network_3_seed_0") != number_of(before, "network_3_seed_0"));
}

TEST_CASE("other networks have a world too, CartPole and average reward have none") {
    for (const char* model : {"rnn", "attention"}) {
        RunOf run("td", world_settings_of({{"model", std::string(model)},
                                           {"activation", std::string("softmax")},
                                           {"look_inside", std::string("both")}}));
        run.advance_to(2);
        const Snapshot snapshot = run.snapshot();
        CHECK(snapshot.scenes.front().id == "world");
        CHECK((find_matrix(snapshot, "Z") != nullptr) == (std::string(model) == "attention"));
    }
    RunOf average("td", world_settings_of({{"loss", std::string("average_reward")}}));
    average.advance_to(1);
    for (const Scene& scene : average.snapshot().scenes) CHECK(scene.id == "prompt");
}

TEST_CASE("in preset world a changed reward moves the values to the new true ones, within a tenth of zero's error") {
    Settings settings(in_context_td().fields);
    apply(read_settings(source_dir() / "assets/presets/world.toml"), settings);
    testing::change(settings, "bank_size=16, log_interval=1000, seeds=2");
    RunOf run("td", settings);
    run.advance_to(settings.integer("num_mrps"));
    for (const double change : {0.5, 1.0, 2.0}) {
        for (int s = 1; s <= 4; ++s) {
            INFO(change, ", ", s);
            settings.set("world_edits", fmt::format("r{}={}", s, (s == 4 ? 1.0 : 0.0) + change));
            run.set_live(settings);
            const Snapshot snapshot = run.snapshot();
            const double allowed = 0.1 * square_error(snapshot, "");
            for (int k = 0; k < 2; ++k) CHECK(square_error(snapshot, fmt::format("_seed_{}", k)) < allowed);
        }
    }
}

TEST_SUITE_END();
