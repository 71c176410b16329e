// Every figure at its smallest size: what its files say of it is what ran.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/files/csv.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

TEST_SUITE_BEGIN("release");

namespace emergence::cli::figures_tell_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Words = std::vector<std::string>;

// The least that each experiment can do. Runs of td with a num_mrps of their own, up to 16000, take their time where
// they log: a verdict for each seed.
const std::map<std::string, Words> kSmall = {
    {"td", {"num_mrps=60", "minibatches_per_mrp=1", "bank_size=16", "log_interval=60"}},
    {"evaluation", {"num_tasks=2", "num_layers=1", "log_interval=1"}},
    {"construction", {"num_layers=2"}},
    {"softmax-td", {"num_updates=2", "bank_size=8", "log_interval=1"}},
    {"softmax-convergence", {"num_layers=2", "num_states=3"}},
    {"softmax-construction", {"num_layers=1", "num_chains=2"}},
    {"bandit-eval", {"num_environments=1", "log_interval=1", "rounds=20"}},
    {"bandit-sweep", {"num_environments=1", "log_interval=1"}},
    {"bandit-race", {"rounds=20"}},
    {"bandit-train", {"num_steps=2", "log_interval=1", "bank_size=4", "warm_up=1"}},
    {"regression", {"num_iterations=2", "num_prompts=500", "bank_size=500", "log_interval=1"}},
    {"sarsa", {"num_mdps=2", "frames=2", "log_interval=1", "loop_mdps=2", "loop_updates=10"}},
    {"policy-flow", {"num_steps=2", "windows=50"}}};

// What a figure leaves to the user of these; it has to refuse the others with a sentence.
Words accepted(const ExperimentInfo& info, const FigureInfo& figure, const Words& wanted, const fs::path& assets,
               const std::string& out) {
    Words taken;
    for (const std::string& change : wanted) {
        const std::string field = change.substr(0, change.find('='));
        const Settings start = figure_settings(info, figure, assets);
        Settings settings = start;
        settings.set_from_text(field, change.substr(field.size() + 1));
        try {
            refuse_unused(info, figure, start, settings);
            taken.push_back(change);
            continue;
        } catch (const InputError&) {
            // The command line has to say the same.
        }
        check_refused(tell({"figure", figure.name, "--set", change, "--out", out}, experiments(), assets),
                      field + ": figure " + figure.name);
    }
    return taken;
}

Settings settings_written_in(const fs::path& file, const ExperimentInfo& info) {
    Settings settings(info.fields);
    apply(settings_of_file(file), settings);
    return settings;
}

// "L = 2: num_layers = 2, seed = 5" changes the settings of the run "L = 2".
std::map<std::string, Settings> runs_in(const std::string& config, const Settings& shared, const Words& labels) {
    std::map<std::string, Settings> runs;
    for (const std::string& label : labels) runs[label] = shared;
    const size_t list = config.find("\nruns = [");
    if (list == std::string::npos) return runs;
    const std::string line = config.substr(list + 1, config.find('\n', list + 1) - list - 1);
    for (size_t from = line.find('"'); from != std::string::npos;) {
        const size_t to = line.find('"', from + 1);
        const std::string text = line.substr(from + 1, to - from - 1);
        from = line.find('"', to + 1);
        for (auto& [label, settings] : runs) {
            if (!text.starts_with(label + ": ")) continue;
            std::string rest = text.substr(label.size() + 2) + ", ";
            for (size_t end; (end = rest.find(", ")) != std::string::npos; rest.erase(0, end + 2)) {
                const std::string change = rest.substr(0, end);
                const size_t equals = change.find(" = ");
                if (settings.has(change.substr(0, equals)))
                    settings.set_from_text(change.substr(0, equals), change.substr(equals + 3));
            }
        }
    }
    return runs;
}

// With the header.
std::vector<Words> rows_of(const fs::path& file) {
    CsvReader reader(slurp(file), file.string());
    std::vector<Words> rows = {reader.header()};
    for (Words row; reader.next(row);) rows.push_back(row);
    return rows;
}

size_t column_of(const Words& header, const std::string& name) {
    return static_cast<size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

// Without tags and line breaks, where a caption is wrapped.
std::string words_of(const std::string& svg) {
    std::string words;
    bool tag = false;
    for (const char c : svg) {
        if (c == '<') tag = true;
        const bool space = tag || c == '\n' || c == ' ';
        if (!space)
            words += c;
        else if (!words.empty() && words.back() != ' ')
            words += ' ';
        if (c == '>') tag = false;
    }
    return words;
}

void check_figure(const ExperimentInfo& info, const FigureInfo& figure, const fs::path& folder) {
    const Settings shared = settings_written_in(folder / "config.toml", info);
    std::string stem;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".svg" && (stem.empty() || entry.path().stem() == figure.name))
            stem = entry.path().stem().string();
    for (const char* format : {".pdf", ".svg", ".png"})
        CHECK(settings_written_in(folder / (stem + format), info) == shared);
    if (!fs::exists(folder / "seeds.csv")) return;
    const auto rows = rows_of(folder / "seeds.csv");
    const bool many = rows[0][0] == "run";
    const size_t seed_at = column_of(rows[0], "seed");
    std::map<std::string, std::vector<int64_t>> seeds;
    for (size_t i = 1; i < rows.size(); ++i) seeds[many ? rows[i][0] : ""].push_back(std::stoll(rows[i][seed_at]));
    Words labels;
    for (const auto& [label, numbers] : seeds) labels.push_back(label);
    size_t all = 0;
    for (const auto& [label, settings] : runs_in(slurp(folder / "config.toml"), shared, labels)) {
        CAPTURE(label);
        std::vector<int64_t> expected;
        for (int64_t k = 0; k < settings.integer("seeds"); ++k)
            expected.push_back((settings.has("seed") ? settings.integer("seed") : 0) + k);
        CHECK(seeds.at(label) == expected);
        all += expected.size();
    }
    // A job for each network; evaluations are further ones.
    if (many) CHECK(all_entries_in(folder / "jobs").size() >= all);
    const std::string caption = words_of(slurp(folder / (stem + ".svg")));
    const std::vector<int64_t>& first = seeds.begin()->second;
    const bool same = std::all_of(seeds.begin(), seeds.end(), [&](const auto& one) { return one.second == first; });
    if (same) {
        CHECK(holds(caption, fmt::format("Seeds {}..{}", first.front(), first.back())));
    } else {
        CHECK(holds(caption, fmt::format("{} seeds in {} runs", all, seeds.size())));
    }
}

void make_and_check(const ExperimentInfo& info, const FigureInfo& figure) {
    CAPTURE(figure.name);
    const Scratch scratch;
    const fs::path assets = testing::source_dir() / "assets";
    const std::string out = (scratch / "f").string();
    Words wanted = kSmall.at(info.name);
    for (const char* more : {"seeds=2", "seed=7"}) wanted.emplace_back(more);
    Words arguments = {"figure", figure.name, "--out", out, "--threads", "1", "--dpi", "80"};
    for (const std::string& change : accepted(info, figure, wanted, assets, out)) {
        arguments.emplace_back("--set");
        arguments.push_back(change);
    }
    const Told told = check_done(tell(arguments, experiments(), assets));
    if (told.code == kDone) check_figure(info, figure, scratch / "f");
}

}  // namespace

TEST_CASE("every figure's config, pictures, caption and tables name the settings and seeds that ran") {
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) make_and_check(info, figure);
}

TEST_CASE("a figure accepts its own start, and each setting that it fixes it refuses with a sentence") {
    const fs::path assets = testing::source_dir() / "assets";
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) {
            CAPTURE(figure.name);
            const Settings start = figure_settings(info, figure, assets);
            std::vector<GridConfig> runs;
            CHECK_NOTHROW(runs = figure.plan(info, start));
            CHECK(settings_of(runs) == start);
            for (const GridConfig& run : runs)
                if (!run.experiment && info.check) CHECK_NOTHROW(info.check(run.settings));
        }
    check_refused(tell({"figure", "wang-4", "--set", "num_layers=7"}, experiments(), assets),
                  "num_layers: figure wang-4 sets this itself, to 1, 2, 4, and would ignore 7. Leave it out");
}

TEST_CASE("no figure stops at zero steps and a single seed") {
    const std::map<std::string, std::string> steps = {
        {"td", "num_mrps"}, {"softmax-td", "num_updates"}, {"bandit-train", "num_steps"}, {"sarsa", "num_mdps"}};
    const fs::path assets = testing::source_dir() / "assets";
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) {
            const auto found = steps.find(info.name);
            if (found == steps.end()) continue;
            CAPTURE(figure.name);
            const Settings start = figure_settings(info, figure, assets);
            Settings settings = start;
            for (const std::string& change : kSmall.at(info.name)) {
                const size_t equals = change.find('=');
                settings.set_from_text(change.substr(0, equals), change.substr(equals + 1));
            }
            settings.set(found->second, int64_t{0});
            settings.set("seeds", int64_t{1});
            const std::vector<GridConfig> runs = figure.plan(info, settings);
            const auto trains = [&](const GridConfig& run) {
                return run.settings.has(found->second) && run.settings.integer(found->second) > 0;
            };
            if (std::any_of(runs.begin(), runs.end(), trains)) continue;  // a run of its own length
            MadeFigure made;
            CHECK_NOTHROW(made = figure.build(info, settings, {}));
            CHECK_FALSE(made.figure.cells.empty());
        }
}

TEST_CASE("no file that a run or a figure leaves names the place of its inputs, and resume finds them") {
    const Scratch scratch;
    const fs::path assets = testing::source_dir() / "assets", place = scratch / "home-of-ada";
    const auto told = [&](Words arguments) { return tell(arguments, experiments(), assets); };
    const auto check_silent = [](const fs::path& folder) {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) CHECK_MESSAGE(!holds(slurp(entry.path()), "home-of-ada"), entry.path());
    };
    fs::create_directories(place);
    const Words small = {"--set", "num_mrps=4", "bank_size=16", "log_interval=1", "seed=5"};
    const auto with = [&](Words arguments, const fs::path& weights, const fs::path& out) {
        arguments.insert(arguments.end(), small.begin(), small.end());
        if (!weights.empty()) arguments.push_back("weights=" + weights.string());
        for (const std::string& word : Words{"--seeds", "1", "--out", out.string()}) arguments.push_back(word);
        return arguments;
    };
    CHECK(told(with({"run", "td"}, {}, place / "first")).code == kDone);
    const fs::path weights = place / "start.npz";
    fs::copy_file(place / "first/weights.npz", weights);
    // The folders lie elsewhere: their own place is not the input's.
    for (const Words& command : {Words{"run", "td"}, {"figure", "wang-2"}, {"figure", "wang-4"}}) {
        CAPTURE(command.back());
        const fs::path whole = scratch / (command.back() + "-whole");
        CHECK(told(with(command, weights, whole)).code == kDone);
        check_silent(whole);
        CHECK(holds(slurp(whole / "config.toml"), "weights = \"start.npz\""));
        if (command.back() == "wang-4") {  // of many networks
            CHECK(slurp(whole / "seeds.csv").starts_with("run,seed,mrp,emerged,"));
            CHECK(holds(slurp(whole / "columns.toml"), "[[seeds]]\nname = \"run\"\n"));
        }
        const auto before = slurp(whole / "config.toml"), drawn = slurp(whole / "seeds.csv");
        CHECK(told(with(command, weights, whole)).code == kDone);  // the same command resumes it
        // Without the original, and in another place.
        const fs::path moved = scratch / (command.back() + "-moved");
        fs::rename(whole, moved);
        fs::rename(weights, place / "elsewhere.npz");
        check_done(told({"resume", moved.string()}));
        check_silent(moved);
        CHECK(slurp(moved / "config.toml") == before);
        CHECK(slurp(moved / "seeds.csv") == drawn);
        fs::rename(place / "elsewhere.npz", weights);
    }
}

}  // namespace emergence::cli::figures_tell_test

TEST_SUITE_END();
