#include "app/gui/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "core/base/error.h"
#include "core/io/assets.h"
#include "core/io/toml.h"

namespace emergence {
namespace {

constexpr const char* kSeedCountField = "seeds";

// "1600x1000".
std::pair<int, int> parse_size(const std::string& text) {
    int width = 0;
    int height = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 640 || height < 400 ||
        width > 16384 || height > 16384)
        throw CLI::ValidationError("--size", "found '" + text + "', allowed is WIDTHxHEIGHT from 640x400");
    return {width, height};
}

double parse_pace(const std::string& text) {
    if (text == "max") return 0.0;
    double pace = 0.0;
    if (!CLI::detail::lexical_cast(text, pace) || !(pace > 0.0) || !(pace <= 1e9))
        throw CLI::ValidationError("--pace", "found '" + text + "', allowed is a positive number or max");
    return pace;
}

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

}  // namespace

std::optional<Farewell> read_options(int argc, char** argv, const std::string& experiment, Options& options) {
    options.experiment = experiment;
    options.threads = default_threads();
    std::string size = "1600x1000";
    std::string pace = "250";
    std::string theme = "dark";
    CLI::App app("Watch a transformer discover a reinforcement-learning algorithm.", "emergence");
    app.set_version_flag("--version", std::string("emergence ") + EMERGENCE_VERSION);
    app.add_option("--experiment", options.experiment, "what to train")->capture_default_str();
    app.add_option("--preset", options.preset, "settings from assets/presets");
    app.add_option("--set", options.assignments,
                   "field=value, may be repeated ('emergence-cli info' lists them)")
        ->take_all();
    app.add_option("--seeds", options.seeds, "how many seeds");
    app.add_option("--threads", options.threads, "threads that train")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    app.add_option("--pace", pace, "steps a second of each seed, or max")->capture_default_str();
    app.add_flag("--paused", options.paused, "do not start training yet");
    app.add_option("--theme", theme, "dark or light")
        ->check(CLI::IsMember({"dark", "light"}))
        ->capture_default_str();
    app.add_option("--ui-scale", options.ui_scale, "size of type and controls, 1 fits the window")
        ->check(CLI::Range(0.5, 4.0))
        ->capture_default_str();
    app.add_option("--size", size, "of the window in pixels")->capture_default_str();
    auto* after = app.add_option("--after", options.after, "seconds until the screenshot")
                      ->check(CLI::Range(0.0, 1e6))
                      ->capture_default_str();
    app.add_option("--screenshot", options.screenshot, "write the window to this PNG and exit");
    after->needs("--screenshot");
    app.add_flag("--trace", options.trace, "print what happens, for programs that drive the window");
    try {
        app.parse(argc, argv);
        std::tie(options.width, options.height) = parse_size(size);
        options.pace = parse_pace(pace);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out;
        const bool asked = error.get_exit_code() == 0;
        app.exit(error, out, out);
        if (asked) return Farewell{out.str(), 0};
        return Farewell{std::string("emergence: ") + error.what() + "\n", 2};
    }
    options.theme = theme == "dark" ? Theme::dark : Theme::light;
    return std::nullopt;
}

Settings make_settings(const ExperimentInfo& info, const Options& options) {
    Settings settings(info.fields);
    if (!options.preset.empty()) {
        const SettingsFile file = read_settings(preset_path(assets_folder(), options.preset));
        if (!file.experiment.empty() && file.experiment != info.name)
            throw InputError("preset '" + options.preset + "' is for the experiment '" + file.experiment +
                             "', not for '" + info.name + "'");
        apply(file, settings);
    }
    for (const std::string& assignment : options.assignments) {
        const size_t equals = assignment.find('=');
        if (equals == std::string::npos)
            throw InputError("--set: found '" + assignment + "', allowed is field=value");
        settings.set_from_text(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    if (options.seeds) settings.set(kSeedCountField, *options.seeds);
    if (info.check) info.check(settings);
    return settings;
}

}  // namespace emergence
