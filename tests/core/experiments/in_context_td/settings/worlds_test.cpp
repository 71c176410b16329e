#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <tuple>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/experiments/registry.h"
#include "core/lab/store/checkpoint.h"
#include "tests/support/matrices.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

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

std::string toml_refusal(const std::string& text) {
    return message_of<InputError>([&] { parse_world_toml(text, "w.toml"); });
}
std::string csv_refusal(const std::string& text) {
    return message_of<InputError>([&] { parse_world_csv(text, "w.csv"); });
}

}  // namespace

TEST_CASE("an own MRP is read from TOML and from CSV alike") {
    const WorldFile world = parse_world_toml(kWorld, "w.toml");
    CHECK(world.gamma == 0.5);
    CHECK(world.states == std::vector<std::string>{"x", "y"});
    CHECK(world.mrp.initial == Vec::of({1, 0}));
    CHECK(world.mrp.transition == matrix({{0.25, 0.75}, {1, 0}}));
    CHECK(world.mrp.reward == Vec::of({1, -2}));
    CHECK(world.mrp.features.col(1) == Vec::of({4, 5, 6}));

    const WorldFile table =
        parse_world_csv("reward,initial,p1,p2,phi1,phi2,phi3\n1,1,0.25,0.75,1,2,3\n-2,0,1,0,4,5,6\n", "w.csv");
    CHECK(table.mrp.initial == world.mrp.initial);
    CHECK(table.mrp.transition == world.mrp.transition);
    CHECK(table.mrp.reward == world.mrp.reward);
    CHECK(table.mrp.features == world.mrp.features);
    CHECK_FALSE(table.gamma);
    CHECK(table.states == std::vector<std::string>{"1", "2"});
    CHECK(parse_world_csv("reward,p1,p2,phi1\n1,0.5,0.5,1\n2,1,0,1\n", "w.csv").mrp.initial == Vec::of({0.5, 0.5}));
}

TEST_CASE("rows within 1e-6 of 1 are divided by their sums") {
    const WorldFile world = parse_world_toml(world_with("[0.25, 0.75]", "[0.3333333, 0.6666666]"), "w.toml");
    CHECK(world.mrp.transition.row(0).sum() == doctest::Approx(1.0).epsilon(1e-15));
}

TEST_CASE("a bad file is refused with its name, the field, what was found and what is allowed") {
    const std::tuple<const char*, const char*, const char*> kReplaced[] = {
        {"[0.25, 0.75]", "[0.25, 0.7]", "transition row 1: expected a sum of 1, not 0.95"},
        {"[1, 0]]", "[1.5, -0.5]]", "transition row 2, number 2: expected a probability, from 0 to 1, not -0.5"},
        {"[1, -2]", "[1, inf]", "reward, number 2: expected a finite number, not inf"},
        {"[1, -2]", "[1]", "reward: expected 2 numbers, not 1"},
        {"[4, 5, 6]", "[4, 5]", "features row 2: expected 3 numbers, not 2"},
        {", [4, 5, 6]", "", "features: expected 2 rows, not 1"},
        {"[0.25, 0.75]", "[1]", "transition row 1: expected 2 numbers, not 1"},
        {"[1, 0]\ntransition", "[0.9, 0]\ntransition", "initial: expected a sum of 1, not 0.9"},
        {"gamma = 0.5", "gamma = 1.0", "gamma: expected a number from 0 to below 1, not 1"},
        {"gamma = 0.5", "gamma = \"a\"", "gamma: expected a number, not a text"},
        {"[\"x\", \"y\"]", "[\"x\"]", "states: expected 2 names, not 1"},
        {"reward = [1, -2]", "", "'reward' is missing"},
        {"[1, -2]", "3", "reward: expected a list in brackets, not a number"}};
    for (const auto& [piece, other, reason] : kReplaced)
        CHECK(toml_refusal(world_with(piece, other)) == std::string("w.toml: ") + reason);
    CHECK(toml_refusal(world_with("0.25", "nan")) == "w.toml:5:16: nan is no number. Write one, or leave the key out");
    CHECK(toml_refusal(world_with("reward", "rewards")).starts_with("w.toml:6:1: unknown key 'rewards'"));
    CHECK(toml_refusal(world_with("reward", "rewards")).ends_with("Did you mean 'reward'?"));
    CHECK(toml_refusal("transition = [[1").starts_with("w.toml:1:"));
    CHECK(toml_refusal("transition = [[1]]\nreward = [1]\nfeatures = [[1]]") ==
          "w.toml: transition: expected 2 to 64 rows, one per state, not 1");
    CHECK(
        holds(toml_refusal(world_with("[[0.25, 0.75], [1, 0]]", "[[1, 0], [0, 1]]")), "a single closed set of states"));

    const std::pair<const char*, const char*> kTables[] = {
        {"reward,p1,p2,phi1\n1,0.5,0.4,1\n1,0,1,1\n", ": transition row 1: expected a sum of 1, not 0.9"},
        {"reward,p1,phi1\n1,1,1\n1,1,1\n", ": transition row 1: expected 2 numbers, not 1"},
        {"reward,p1,p2,phi1\n1,,1,1\n1,0,1,1\n", ": transition row 1, number 1: expected a finite number, not nan"},
        {"reward,p2,p1,phi1\n1,0,1,1\n1,0,1,1\n", ": header: expected '"},
        {"p1,p2,phi1\n0,1,1\n0,1,1\n", ""},
        {"reward,p1,p2\n1,0,1\n1,0,1\n", ": features: expected 1 to "},
        {"", ""}};
    for (const auto& [text, reason] : kTables) CHECK(csv_refusal(text).starts_with(std::string("w.csv") + reason));
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
    CHECK(message_of<InputError>([] {
              read_world("no such world");
          }).starts_with("world_file: 'no such world' is not a file"));

    const SettingsFile opened = settings_of_file(assets / "worlds" / "corridor.toml");
    CHECK(opened.experiment == "td");
    Settings settings(find_experiment("td").fields);
    apply(opened, settings);
    find_experiment("td").check(settings);
    CHECK(settings.text("look_inside") == "world");
    CHECK(settings.integer("d") == 4);
    CHECK(settings_of_file(assets / "presets" / "td.toml").experiment == "td");
}

namespace emergence {
namespace {

using namespace testing;

constexpr int kPool = 5, kHeldOut = 384;  // the verdict reads 384 prompts

std::string numbers(const Vec& values) {
    std::string text;
    for (const double value : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : ", ", value);
    return "[" + text + "]";
}

std::string world_text(const Mrp& mrp) {
    std::string transition, features;
    for (int s = 0; s < mrp.num_states(); ++s) {
        transition += numbers(mrp.transition.row(s).transpose()) + ", ";
        features += numbers(mrp.features.col(s)) + ", ";
    }
    return fmt::format("initial = {}\ntransition = [{}]\nreward = {}\nfeatures = [{}]\n", numbers(mrp.initial),
                       transition, numbers(mrp.reward), features);
}

Settings settings_on_few_worlds(const std::vector<std::pair<std::string, std::string>>& changes) {
    Settings settings = settings_of("td", "num_mrps=12, seeds=1, bank_size=16, num_layers=2");
    for (const auto& [name, value] : changes) settings.set_from_text(name, value);
    return settings;
}

// As text, in which what is not a number is the same as itself. `state`: without the map's fit, which follows the
// held-out worlds.
std::string trained_rows(const Settings& settings, ArrayMap& state) {
    testing::RunOf run("td", settings);
    std::string rows;
    for (const MetricRow& row : run.advance_to(run.study().target_step()))
        rows += fmt::format("{} {}: {}\n", row.seed_index, row.step, fmt::join(row.values, " "));
    state = run.seed(0).save();
    state.erase("map");
    return rows;
}

// The tasks of a generator's pool, and its held-out ones, as files.
void write_worlds(const std::filesystem::path& folder, const TaskOptions& tasks) {
    std::filesystem::create_directories(folder / kHeldOutWorlds);
    Mrp mrp;
    for (uint32_t i = 0; i < kPool; ++i) {
        draw_mrp(tasks, 0, i, mrp);
        testing::spit(folder / fmt::format("{:02}.toml", i), world_text(mrp));
    }
    for (uint32_t i = 0; i < kHeldOut; ++i) {
        draw_mrp(tasks, derive_seed(0, Purpose::held_out), i, mrp);
        testing::spit(folder / kHeldOutWorlds / fmt::format("{:03}.toml", i), world_text(mrp));
    }
}

}  // namespace

TEST_CASE("the same worlds through files and through their generator give the same bits") {
    const Scratch scratch;
    const Settings generator = settings_on_few_worlds({{"pool_size", std::to_string(kPool)}});
    write_worlds(scratch / "worlds", task_options(config_from<InContextTdConfig>(generator)));
    const Settings files = settings_on_few_worlds({{"task", "files"}, {"worlds", (scratch / "worlds").string()}});
    find_experiment("td").check(files);
    ArrayMap one, other;
    const std::string rows = trained_rows(generator, one);
    CHECK(trained_rows(files, other) == rows);
    CHECK(one == other);
    // Other held-out worlds change what is measured, and nothing that is learned; another pool changes both.
    std::filesystem::remove(scratch / "worlds/held-out/000.toml");
    CHECK(trained_rows(files, other) != rows);
    CHECK(one == other);
    std::filesystem::remove(scratch / "worlds/00.toml");
    trained_rows(files, other);
    CHECK(one != other);
    // All of them are copied into the run's folder; what systems and editors leave there is none of them.
    for (const char* name : {"._02.toml", ".DS_Store", ".01.toml.swp", "held-out/._02.toml"})
        testing::spit(scratch / "worlds" / name, std::string("\0\5\26\7", 4));
    find_experiment("td").check(files);
    CHECK(inputs_of(files, scratch / "run").size() == kPool + kHeldOut - 2);
}

TEST_CASE("a world that does not fit is refused by its name, and a folder of worlds opens") {
    const Scratch scratch;
    const std::filesystem::path folder = scratch / "worlds";
    write_worlds(folder, {});
    const auto refusal = [&](const std::vector<std::pair<std::string, std::string>>& changes) {
        std::vector<std::pair<std::string, std::string>> all = {{"task", "files"}, {"worlds", folder.string()}};
        all.insert(all.end(), changes.begin(), changes.end());
        return message_of<InputError>([&] { find_experiment("td").check(settings_on_few_worlds(all)); });
    };
    CHECK(refusal({}).empty());
    CHECK(refusal({{"d", "5"}}) == fmt::format("{}/00.toml: has 4 features per state, but d = 5. Set d to 4, or "
                                               "remove the file",
                                               folder.string()));
    CHECK(refusal({{"worlds", ""}}).starts_with("worlds: task = files needs a folder"));
    CHECK(is_world_folder(folder));
    CHECK(settings_of_file(folder).entries.size() == 3);
    Mrp mrp;
    draw_mrp({}, 0, 0, mrp);
    mrp.reward[2] = std::numeric_limits<double>::quiet_NaN();
    testing::spit(folder / "held-out/broken.toml", world_text(mrp));
    CHECK(holds(refusal({}), "nan is no number"));
    mrp.reward[2] = 0;
    testing::spit(folder / "held-out/broken.toml", "gamma = 0.5\n" + world_text(mrp));
    CHECK(holds(refusal({}), "has gamma = 0.5, but the run has 0.9"));
    testing::spit(folder / "held-out/broken.toml", "transition = [[0.5; 0.5]]\n");
    CHECK(holds(refusal({}), "held-out/broken.toml:1:19: "));
    std::filesystem::remove_all(folder / "held-out");
    CHECK(holds(refusal({}), "held-out holds no TOML or CSV file with a world"));
    CHECK_FALSE(is_world_folder(folder));
}

}  // namespace emergence
