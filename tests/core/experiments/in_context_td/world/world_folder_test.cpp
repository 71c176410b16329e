#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/settings/worlds.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/store/run_inputs.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence {
namespace {

using testing::message_of;
using testing::Scratch;

constexpr int kPool = 5, kHeldOut = 384;  // the verdict reads 384 prompts

std::string numbers(const Eigen::VectorXd& values) {
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
    Settings settings(find_experiment("td").fields);
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"num_mrps", "12"}, {"seeds", "1"}, {"bank_size", "16"}, {"num_layers", "2"}})
        settings.set_from_text(name, value);
    for (const auto& [name, value] : changes) settings.set_from_text(name, value);
    return settings;
}

// As text, in which what is not a number is the same as itself. `state`: without the map's fit, which follows the held-out
// worlds.
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
    CHECK(refusal({}).find("nan is no number") != std::string::npos);
    mrp.reward[2] = 0;
    testing::spit(folder / "held-out/broken.toml", "gamma = 0.5\n" + world_text(mrp));
    CHECK(refusal({}).find("has gamma = 0.5, but the run has 0.9") != std::string::npos);
    testing::spit(folder / "held-out/broken.toml", "transition = [[0.5; 0.5]]\n");
    CHECK(refusal({}).find("held-out/broken.toml:1:19: ") != std::string::npos);
    std::filesystem::remove_all(folder / "held-out");
    CHECK(refusal({}).find("held-out holds no TOML or CSV file with a world") != std::string::npos);
    CHECK_FALSE(is_world_folder(folder));
}

}  // namespace emergence
