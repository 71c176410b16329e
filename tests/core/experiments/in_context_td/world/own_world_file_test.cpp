#include "core/experiments/in_context_td/settings/worlds.h"

#include <doctest/doctest.h>

#include <fstream>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

const std::string kWorld = R"(
gamma = 0.5
states = ["x", "y"]
initial = [1, 0]
transition = [[0.25, 0.75], [1, 0]]
reward = [1, -2]
features = [[1, 2, 3], [4, 5, 6]]
)";

// The good file with one piece replaced.
std::string world_with(const std::string& piece, const std::string& other) {
    std::string text = kWorld;
    const size_t at = text.find(piece);
    REQUIRE(at != std::string::npos);
    return text.replace(at, piece.size(), other);
}

template <class Work>
std::string world_refusal(const Work& work) {
    try {
        work();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}
std::string toml_refusal(const std::string& text) {
    return world_refusal([&] { parse_world_toml(text, "w.toml"); });
}
std::string csv_refusal(const std::string& text) {
    return world_refusal([&] { parse_world_csv(text, "w.csv"); });
}

}  // namespace

TEST_CASE("an own MRP is read from TOML and from CSV alike") {
    const WorldFile world = parse_world_toml(kWorld, "w.toml");
    CHECK(world.gamma == 0.5);
    CHECK(world.states == std::vector<std::string>{"x", "y"});
    CHECK(world.mrp.initial == Eigen::Vector2d(1, 0));
    CHECK(world.mrp.transition == (Eigen::Matrix2d() << 0.25, 0.75, 1, 0).finished());
    CHECK(world.mrp.reward == Eigen::Vector2d(1, -2));
    CHECK(world.mrp.features.col(1) == Eigen::Vector3d(4, 5, 6));

    const WorldFile table =
        parse_world_csv("reward,initial,p1,p2,phi1,phi2,phi3\n1,1,0.25,0.75,1,2,3\n-2,0,1,0,4,5,6\n", "w.csv");
    CHECK(table.mrp.initial == world.mrp.initial);
    CHECK(table.mrp.transition == world.mrp.transition);
    CHECK(table.mrp.reward == world.mrp.reward);
    CHECK(table.mrp.features == world.mrp.features);
    CHECK_FALSE(table.gamma);
    CHECK(table.states == std::vector<std::string>{"1", "2"});
    CHECK(parse_world_csv("reward,p1,p2,phi1\n1,0.5,0.5,1\n2,1,0,1\n", "w.csv").mrp.initial ==
          Eigen::Vector2d(0.5, 0.5));
}

TEST_CASE("rows within 1e-6 of 1 are divided by their sums") {
    const WorldFile world = parse_world_toml(world_with("[0.25, 0.75]", "[0.3333333, 0.6666666]"), "w.toml");
    CHECK(world.mrp.transition.row(0).sum() == doctest::Approx(1.0).epsilon(1e-15));
}

TEST_CASE("a bad file is refused with its name, the field, what was found and what is allowed") {
    CHECK(toml_refusal(world_with("[0.25, 0.75]", "[0.25, 0.7]")) ==
          "w.toml: transition row 1: expected a sum of 1, not 0.95");
    CHECK(toml_refusal(world_with("[1, 0]]", "[1.5, -0.5]]")) ==
          "w.toml: transition row 2, number 2: expected a probability, from 0 to 1, not -0.5");
    CHECK(toml_refusal(world_with("0.25", "nan")) == "w.toml:5:16: nan is no number. Write one, or leave the key out");
    CHECK(toml_refusal(world_with("[1, -2]", "[1, inf]")) ==
          "w.toml: reward, number 2: expected a finite number, not inf");
    CHECK(toml_refusal(world_with("[1, -2]", "[1]")) == "w.toml: reward: expected 2 numbers, not 1");
    CHECK(toml_refusal(world_with("[4, 5, 6]", "[4, 5]")) == "w.toml: features row 2: expected 3 numbers, not 2");
    CHECK(toml_refusal(world_with(", [4, 5, 6]", "")) == "w.toml: features: expected 2 rows, not 1");
    CHECK(toml_refusal(world_with("[0.25, 0.75]", "[1]")) == "w.toml: transition row 1: expected 2 numbers, not 1");
    CHECK(toml_refusal(world_with("[1, 0]\ntransition", "[0.9, 0]\ntransition")) ==
          "w.toml: initial: expected a sum of 1, not 0.9");
    CHECK(toml_refusal(world_with("gamma = 0.5", "gamma = 1.0")) ==
          "w.toml: gamma: expected a number from 0 to below 1, not 1");
    CHECK(toml_refusal(world_with("gamma = 0.5", "gamma = \"a\"")) == "w.toml: gamma: expected a number, not a text");
    CHECK(toml_refusal(world_with("[\"x\", \"y\"]", "[\"x\"]")) == "w.toml: states: expected 2 names, not 1");
    CHECK(toml_refusal(world_with("reward = [1, -2]", "")) == "w.toml: 'reward' is missing");
    CHECK(toml_refusal(world_with("reward", "rewards")).find("w.toml:6:1: unknown key 'rewards'") == 0);
    CHECK(toml_refusal(world_with("reward", "rewards")).ends_with("Did you mean 'reward'?"));
    CHECK(toml_refusal(world_with("[1, -2]", "3")) == "w.toml: reward: expected a list in brackets, not a number");
    CHECK(toml_refusal("transition = [[1").find("w.toml:1:") == 0);
    CHECK(toml_refusal("transition = [[1]]\nreward = [1]\nfeatures = [[1]]") ==
          "w.toml: transition: expected 2 to 64 rows, one per state, not 1");
    CHECK(toml_refusal(world_with("[[0.25, 0.75], [1, 0]]", "[[1, 0], [0, 1]]"))
              .find("one set of states that is never left") != std::string::npos);

    CHECK(csv_refusal("reward,p1,p2,phi1\n1,0.5,0.4,1\n1,0,1,1\n") ==
          "w.csv: transition row 1: expected a sum of 1, not 0.9");
    CHECK(csv_refusal("reward,p1,phi1\n1,1,1\n1,1,1\n") == "w.csv: transition row 1: expected 2 numbers, not 1");
    CHECK(csv_refusal("reward,p1,p2,phi1\n1,,1,1\n1,0,1,1\n") ==
          "w.csv: transition row 1, number 1: expected a finite number, not nan");
    CHECK(csv_refusal("reward,p2,p1,phi1\n1,0,1,1\n1,0,1,1\n").find("w.csv: header: expected '") == 0);
    CHECK(csv_refusal("p1,p2,phi1\n0,1,1\n0,1,1\n").find("w.csv") == 0);
    CHECK(csv_refusal("reward,p1,p2\n1,0,1\n1,0,1\n").find("w.csv: features: expected 1 to ") == 0);
    CHECK(csv_refusal("").find("w.csv") == 0);
}

TEST_CASE("the example that comes along is a world, presets and configs are none") {
    const auto assets = source_dir() / "assets";
    CHECK(is_world_file(assets / "worlds" / "corridor.toml"));
    CHECK_FALSE(is_world_file(assets / "presets" / "td.toml"));
    CHECK_FALSE(is_world_file(assets / "screenshot.png"));
    CHECK_FALSE(is_world_file(assets / "nothing.toml"));
    const WorldFile corridor = read_world((assets / "worlds" / "corridor.toml").string());
    CHECK(corridor.title == "A corridor");
    CHECK(corridor.mrp.num_states() == 5);
    CHECK(world_refusal([] { read_world("no such world"); }).find("world_file: 'no such world' is no file") == 0);

    const SettingsFile opened = settings_of_file(assets / "worlds" / "corridor.toml");
    CHECK(opened.experiment == "td");
    Settings settings(find_experiment("td").fields);
    apply(opened, settings);
    find_experiment("td").check(settings);
    CHECK(settings.text("look_inside") == "world");
    CHECK(settings.integer("d") == 4);
    CHECK(settings_of_file(assets / "presets" / "td.toml").experiment == "td");
}
