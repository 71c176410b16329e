#include "app/gui/options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tuple>

#include "app/gui/commands/command.h"
#include "app/handbook/chapters.h"
#include "app/handbook/markdown.h"
#include "app/handbook/plain.h"
#include "app/install/command_words.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {
namespace {

// Hidden commands that the build calls.
constexpr const char *kManualCommand = "__man", *kCompletionCommand = "__completion";

// "1600x1000".
std::pair<int, int> parse_size(const std::string& text) {
    int width = 0, height = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < kSmallestWidth ||
        height < kSmallestHeight || width > kLargestSide || height > kLargestSide)
        throw CLI::ValidationError(
            "--size", fmt::format("'{}' is no size of the window. Write WIDTHxHEIGHT, from {}x{} to {}x{}", text,
                                  kSmallestWidth, kSmallestHeight, kLargestSide, kLargestSide));
    return {width, height};
}

// CLI::Range accepts nan.
std::string is_plain_number(const std::string& text) {
    const bool nan = small_letters(text).find("nan") != std::string::npos;
    return nan ? "'" + text + "' is no number" : "";
}

double parse_pace(const std::string& text) {
    if (text == "max") return 0.0;
    double pace = 0.0;
    if (!CLI::detail::lexical_cast(text, pace) || !(pace > 0.0) || !(pace <= 1e9))
        throw CLI::ValidationError("--pace",
                                   "'" + text + "' is no pace. Write a positive number of steps per second, or max");
    return pace;
}

// Texts that CLI11 fills in, to be parsed afterwards.
struct RawOptions {
    std::string size, pace, theme;
    const CLI::Option* keeps = nullptr;
};

void describe_options(CLI::App& app, Options& options, RawOptions& raw) {
    app.set_version_flag("--version", "emergence " + version_with_commit());
    auto* file = app.add_option("FILE", options.files,
                                "a figure, config or preset: opens its experiment and settings, goes to the "
                                "step that it shows and pauses; a run's folder: resumes it, a second one is "
                                "drawn beside it; a sweep or its folder: opens its phase diagram; a lesson: begins")
                     ->type_name("PRESET|FILE");
    app.add_option("--experiment", options.experiment, "what to train")->type_name("EXPERIMENT");
    app.add_option("--preset", options.preset, "settings from assets/presets")->type_name("PRESET")->excludes(file);
    app.add_option("--set", options.assignments, "field=value, may be repeated ('emergence-cli info' lists them)")
        ->type_name("FIELD=VALUE")
        ->take_all();
    app.add_option("--seeds", options.seeds, "how many seeds");
    app.add_option("--threads", options.threads, "threads that train")->check(CLI::Range(1, kMostThreads));
    app.add_option("--pace", raw.pace, "steps a second of each seed, or max");
    app.add_flag("--paused", options.paused, "do not start training yet");
    app.add_option("--step", options.lesson_step, "begin a lesson at this step, counted from 1")
        ->type_name("N")
        ->check(CLI::Range(1, 1000).description(""))
        ->needs(file);
    app.add_option("--theme", raw.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
    app.add_option("--ui-scale", options.ui_scale, "size of type and controls, 1 fits the window")
        ->check(is_plain_number)
        ->check(CLI::Range(kSmallestUiScale, kLargestUiScale));
    app.add_option("--size", raw.size, "of the window in pixels")->type_name("WIDTHxHEIGHT");
    auto* after = app.add_option("--after", options.after, "seconds until the screenshot")
                      ->check(is_plain_number)
                      ->check(CLI::Range(0.0, 1e6))
                      ->capture_default_str();
    app.add_option("--screenshot", options.screenshot, "write the window to this PNG and exit")->type_name("FILE.png");
    after->needs("--screenshot");
    app.add_flag("--trace", options.trace, "print what happens, for programs that drive the window");
    raw.keeps = app.add_flag("--preferences,!--no-preferences", options.keeps_preferences,
                             "start as it was left, and keep what changes (not with --screenshot or --trace, "
                             "unless asked for)");
}

// The handbook's chapter about the window, followed by the options.
std::string manual_page(const CLI::App& app) {
    handbook::Document page = handbook::read_chapter(assets_folder(), "window");
    const std::string options = "## Options\n\n" + handbook::commands_table(words_of(app));
    for (handbook::Block& block : handbook::parse_markdown("options", options).blocks)
        page.blocks.push_back(std::move(block));
    return handbook::roff_page(page, "emergence");
}

// Answers the hidden commands; nullopt for any other line.
std::optional<Farewell> answer_of_itself(int argc, const char* const* argv, const CLI::App& app) {
    const std::string first = argc > 1 ? argv[1] : "";
    if (first == kManualCommand) return Farewell{manual_page(app), 0};
    if (first != kCompletionCommand || argc < 3) return std::nullopt;
    return Farewell{completion_script(argv[2], words_of(app)), 0};
}

bool changes_settings(const Options& options) { return !options.assignments.empty() || options.seeds.has_value(); }

// Settings that are named apply to the defaults, not to the last settings.
bool names_settings(const Options& options) {
    return !options.files.empty() || !options.experiment.empty() || !options.preset.empty() ||
           changes_settings(options);
}

// Without assets the window begins with the first experiment's defaults.
std::optional<Opening> very_first_opening() {
    try {
        return opening_of_preset(kFirstPreset);
    } catch (const std::runtime_error&) {
    }
    return std::nullopt;
}

std::optional<Opening> first_opening(const Options& options, const Preferences& preferences) {
    if (!options.preset.empty()) return opening_of_preset(options.preset);
    if (!options.files.empty()) return opening_named(options.files.front());
    const bool remembers = !preferences.experiment.empty() || !preferences.settings.empty();
    return remembers || names_settings(options) ? std::nullopt : very_first_opening();
}

const ExperimentInfo& last_experiment(const Preferences& preferences, const FindExperiment& find) {
    try {
        if (!preferences.experiment.empty()) return find(preferences.experiment);
    } catch (const std::runtime_error&) {  // the name is of another version
    }
    return experiments().front();
}

Settings last_settings(const ExperimentInfo& info, const Preferences& preferences) {
    Settings settings(info.fields);
    recall(preferences, info.name, settings);
    try {
        if (info.check) info.check(settings);
        return settings;
    } catch (const std::runtime_error&) {
        return Settings(info.fields);
    }
}

// Restores the last run's preset: its stage, and its title if the settings are still the preset's.
void take_last_preset(FirstRun& first, const Preferences& preferences, const FindExperiment& find) {
    if (preferences.preset.empty()) return;
    try {
        const Opening opening = opening_of_preset(preferences.preset);
        StartingPoint start = starting_point(*opening.settings, find);
        if (start.experiment != first.experiment) return;
        first.view = std::move(start.view);
        if (!same_but_for_live_fields(start.settings, first.settings)) return;
        first.file = opening.settings;
        first.preset = opening.name;
    } catch (const std::runtime_error&) {  // the preset is of another version
    }
}

void change(Settings& settings, const Options& options) {
    AskedFields asked;
    for (const std::string& assignment : options.assignments) {
        const size_t equals = assignment.find('=');
        if (equals == std::string::npos) throw InputError("--set " + assignment + ": is not of the form field=value");
        const std::string name = assignment.substr(0, equals);
        settings.set_from_text(name, assignment.substr(equals + 1));
        ask_for(asked, name, settings.value(name));
    }
    if (!options.seeds) return;
    settings.set(FieldRole::seed_count, *options.seeds);
    if (const FieldInfo* field = settings.field(FieldRole::seed_count)) ask_for(asked, field->name, *options.seeds);
}

void take_file(FirstRun& first, const Opening& opening, const Options& options, const FindExperiment& find) {
    if (!opening.settings)
        throw InputError(opening.name + ": holds weights without settings. Open an experiment first, then this file");
    const SettingsFile& file = *opening.settings;
    if (!options.experiment.empty() && options.experiment != file.experiment)
        throw InputError(file.source + ": is for the experiment '" + file.experiment + "', not for '" +
                         options.experiment + "'");
    StartingPoint start = starting_point(file, find);
    first.with_figure = opening.experiment;
    first.experiment = opening.experiment ? opening.experiment.get() : start.experiment;
    first.settings = std::move(start.settings);
    first.view = std::move(start.view);
    if (changes_settings(options)) return;
    first.step = start.step;
    first.file = file;
    first.preset = opening.kind == OpeningKind::preset ? opening.name : "";
}

}  // namespace

std::optional<Farewell> read_options(int argc, const char* const* argv, Options& options) {
    CLI::App app("Watch a transformer discover a reinforcement-learning algorithm.", "emergence");
    RawOptions raw;
    describe_options(app, options, raw);
    if (auto answer = answer_of_itself(argc, argv, app)) return answer;
    try {
        app.parse(argc, argv);
        if (!raw.size.empty()) options.size = parse_size(raw.size);
        if (!raw.pace.empty()) options.pace = parse_pace(raw.pace);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        const bool asked = error.get_exit_code() == 0;
        app.exit(error, out, out);
        if (asked) return Farewell{out.str(), 0};
        return Farewell{std::string("emergence: ") + error.what() + "\n", 2};
    }
    if (!raw.theme.empty()) options.theme = raw.theme == "dark" ? Theme::dark : Theme::light;
    if (raw.keeps->count() == 0) options.keeps_preferences = options.screenshot.empty() && !options.trace;
    return std::nullopt;
}

Preferences with_options(Preferences preferences, const Options& options) {
    if (!options.experiment.empty()) preferences.experiment = options.experiment;
    if (options.threads) preferences.threads = *options.threads;
    if (options.pace) preferences.steps_per_second = *options.pace;
    if (options.theme) preferences.look.theme = *options.theme;
    if (options.ui_scale) preferences.look.ui_scale = *options.ui_scale;
    if (options.size) {
        std::tie(preferences.window.width, preferences.window.height) = *options.size;
        preferences.window.maximised = false;
    }
    return preferences;
}

Preferences without_options(Preferences present, const Options& options, const Preferences& kept) {
    const Preferences started = with_options(kept, options);
    const auto put_back = [&](auto Preferences::*member) {
        if (present.*member == started.*member) present.*member = kept.*member;
    };
    if (options.threads) put_back(&Preferences::threads);
    if (options.pace) put_back(&Preferences::steps_per_second);
    if (options.theme && present.look.theme == started.look.theme) present.look.theme = kept.look.theme;
    if (options.ui_scale && present.look.ui_scale == started.look.ui_scale) present.look.ui_scale = kept.look.ui_scale;
    const auto size_of = [](const WindowPlace& place) { return std::pair(place.width, place.height); };
    if (options.size && !present.window.maximised && size_of(present.window) == size_of(started.window))
        present.window = kept.window;
    return present;
}

FirstRun first_run(const Options& options, const Preferences& preferences, const FindExperiment& find) {
    FirstRun first;
    const std::optional<Opening> opening = first_opening(options, preferences);
    if (options.files.size() > 1) first.more.assign(options.files.begin() + 1, options.files.end());
    if (opening && opening->kind == OpeningKind::run) {
        if (changes_settings(options))
            throw InputError(opening->name + ": a resumed run has its own settings. Leave out --set and --seeds");
        first.saved = run_in(std::filesystem::absolute(opening->path).lexically_normal(), find);
        first.experiment = first.saved->experiment;
        first.settings = first.saved->settings;
        return first;
    }
    if (opening && opening->kind != OpeningKind::sweep && opening->kind != OpeningKind::lesson) {
        take_file(first, *opening, options, find);
    } else {
        if (opening && opening->kind == OpeningKind::lesson) {
            first.more.insert(first.more.begin(), opening->path);
            first.experiment = &last_experiment(preferences, find);
        } else if (opening) {
            first.more.insert(first.more.begin(), opening->path);
            first.waits = true;
            first.experiment = read_sweep(*sweep_file_at(opening->path), find).sweep.experiment;
        } else if (!options.experiment.empty()) {
            first.experiment = &find(options.experiment);
        } else {
            first.experiment = names_settings(options) ? &experiments().front() : &last_experiment(preferences, find);
        }
        const bool named = names_settings(options);
        first.settings = named ? Settings(first.experiment->fields) : last_settings(*first.experiment, preferences);
        if (!named && !opening) take_last_preset(first, preferences, find);
    }
    change(first.settings, options);
    if (first.experiment->check) first.experiment->check(first.settings);
    return first;
}

}  // namespace emergence
