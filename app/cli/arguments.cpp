#include "app/cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/describe_commands.h"
#include "app/install/completion.h"
#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/lab/runs/thread_pool.h"
#include "core/lab/store/moments.h"

namespace emergence::cli {
namespace {

constexpr int kMaxLayers = 1'000'000;
constexpr int kMostSeconds = 86'400;
constexpr int kMostSeeds = 1000;
constexpr int kSmallestFrame = 320, kLargestFrame = 7680;
constexpr int kMostFilmSeconds = 600;

// A whole number given for an option. CLI11's own conversions do not say what is allowed.
int whole_number(const std::string& option, const std::string& text, int low, int high) {
    const auto value = parsed<int>(text);
    if (!value || *value < low || *value > high)
        throw InputError(
            fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, low, high));
    return *value;
}

constexpr const char* kProgram = "emergence-cli";
constexpr const char* kPurpose = "Emergence without its window: train, draw figures, evaluate, verify.";

// CLI11 would only say that a command is required.
void check_command(const CLI::App& app, const std::vector<std::string>& arguments) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (arguments.empty())
        throw InputError(fmt::format("a command is needed, there are: {}", fmt::join(names, ", ")));
    const bool known = std::find(names.begin(), names.end(), arguments[0]) != names.end();
    if (!known && !arguments[0].starts_with('-'))
        throw InputError(unknown_name("command", arguments[0], names));
}

// `--set a=1 b=2` means `--set a=1 --set b=2`: words of this form are nothing else on any command line of ours.
std::vector<std::string> with_each_set(const std::vector<std::string>& arguments) {
    const auto is_change = [](const std::string& word) {
        const size_t equals = word.find('=');
        return equals != std::string::npos && equals > 0 &&
               word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == equals;
    };
    std::vector<std::string> result;
    bool in_set = false;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        const bool first = i > 0 && arguments[i - 1] == "--set";
        in_set = first || (in_set && is_change(word));
        if (in_set && !first) result.push_back("--set");
        result.push_back(word);
    }
    return result;
}

PageFormat page_of(const RawArguments& raw) {
    PageFormat page;
    if (!raw.page_width.empty()) set_page_width(raw.page_width, page);
    if (!raw.page_dots.empty())
        page.dots_per_inch = whole_number("--dpi", raw.page_dots, kFewestDots, kMostDots);
    page.caption = !raw.no_caption;
    return page;
}

Request request_of(const std::string& command, RawArguments& raw) {
    const Existing existing = raw.force ? Existing::replace : Existing::refuse;
    raw.info.json = raw.identify.json = raw.verify.json = raw.claims.json = raw.compare.json = raw.read.json =
        raw.value.json = raw.run.json = raw.resume.json = raw.json;
    raw.run.existing = raw.reproduce.existing = raw.sweep.existing = raw.compare.existing =
        raw.structure.existing = raw.imported.existing = raw.exported.existing = raw.networks.existing =
            existing;
    raw.run.page = raw.sweep.page = raw.compare.page = raw.structure.page = page_of(raw);
    if (command == "list") return ListRequest{raw.json};
    if (command == "info") return raw.info;
    if (command == "verify") return raw.verify;
    if (command == "claims") return raw.claims;
    if (command == "compare") return raw.compare;
    if (command == "read") return raw.read;
    if (command == "structure") return raw.structure;
    if (command == "handbook") return raw.handbook;
    if (command == "man") return raw.manual;
    if (command == "completion") return raw.script;
    if (command == "value") {
        raw.value.layers = whole_number("--layers", raw.layers, 1, kMaxLayers);
        if (!raw.seed.empty()) raw.value.seed = whole_number("--seed", raw.seed, 0, kMaxLayers);
        return raw.value;
    }
    std::optional<int> threads, autosave, moments;
    if (!raw.threads.empty()) threads = whole_number("--threads", raw.threads, 1, ThreadPool::kMaxThreads);
    if (!raw.autosave.empty()) autosave = whole_number("--autosave", raw.autosave, 0, kMostSeconds);
    if (!raw.moments.empty()) moments = whole_number("--moments", raw.moments, 0, kMostMoments);
    if (command == "film") {
        raw.film.existing = existing;
        if (!raw.film_size.empty()) {
            const size_t by = raw.film_size.find('x');
            if (by == std::string::npos) throw InputError("--size: write WIDTHxHEIGHT, for example 1280x720");
            raw.film.width =
                whole_number("--size", raw.film_size.substr(0, by), kSmallestFrame, kLargestFrame);
            raw.film.height =
                whole_number("--size", raw.film_size.substr(by + 1), kSmallestFrame, kLargestFrame);
        }
        if (!raw.film_rate.empty()) raw.film.frames_per_second = whole_number("--fps", raw.film_rate, 1, 60);
        if (!raw.film_seconds.empty())
            raw.film.seconds = whole_number("--seconds", raw.film_seconds, 1, kMostFilmSeconds);
        return raw.film;
    }
    if (command == "lesson") {
        raw.lesson.threads = threads;
        return raw.lesson;
    }
    if (command == "reproduce") {
        if (raw.reproduce.out.empty()) throw InputError("--out: is empty. Name a folder");
        raw.reproduce.threads = threads;
        return raw.reproduce;
    }
    if (command == "networks") {
        if (raw.networks.out.empty()) throw InputError("--out: is empty. Name a folder");
        if (!raw.cell_seeds.empty())
            raw.networks.seeds = whole_number("--seeds", raw.cell_seeds, 1, kMostSeeds);
        raw.networks.threads = threads;
        return raw.networks;
    }
    if (command == "identify") {
        raw.identify.threads = threads;
        return raw.identify;
    }
    if (command == "describe") {
        raw.described.threads = threads;
        return raw.described;
    }
    if (command == "import") {
        raw.imported.threads = threads;
        return raw.imported;
    }
    if (command == "export") {
        raw.exported.threads = threads;
        return raw.exported;
    }
    if (command == "sweep") {
        if (raw.sweep.out && raw.sweep.out->empty()) throw InputError("--out: is empty. Name a folder");
        if (!raw.cell_seeds.empty()) raw.sweep.seeds = whole_number("--seeds", raw.cell_seeds, 1, kMostSeeds);
        raw.sweep.threads = threads;
        return raw.sweep;
    }
    if (command == "resume") {
        raw.resume.threads = threads;
        raw.resume.autosave = autosave;
        raw.resume.moments = moments;
        return raw.resume;
    }
    raw.run.is_figure = command == "figure";
    if (raw.run.is_figure) raw.run.name = raw.figure;
    if (!raw.start_weights.empty()) raw.run.changes.push_back("weights=" + raw.start_weights);
    raw.run.threads = threads;
    raw.run.autosave = autosave;
    raw.run.moments = moments;
    return raw.run;
}

// What is written into a folder may name it, in formats that hold only UTF-8.
void check_out(const std::vector<std::string>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
        const bool named = arguments[i].starts_with("--out=") || (i > 0 && arguments[i - 1] == "--out");
        if (named && !is_utf8(arguments[i]))
            throw InputError(
                fmt::format("--out: '{}' is not UTF-8. Choose another name", shown_text(arguments[i])));
    }
}

}  // namespace

CommandWords command_words() {
    CLI::App app(kPurpose, kProgram);
    RawArguments raw;
    describe_commands(app, raw);
    return words_of(app);
}

Request parse_arguments(const std::vector<std::string>& arguments) {
    if (!arguments.empty() && arguments[0] == kCompleteCommand)
        return CompleteRequest{{arguments.begin() + 1, arguments.end()}};
    CLI::App app(kPurpose, kProgram);
    RawArguments raw;
    describe_commands(app, raw);
    check_command(app, arguments);
    check_out(arguments);
    const std::vector<std::string> given = with_each_set(arguments);
    std::vector<std::string> reversed(given.rbegin(), given.rend());  // as CLI11 wants them
    try {
        app.parse(reversed);
    } catch (const CLI::CallForVersion& version) {
        return TextRequest{std::string(version.what()) + "\n"};
    } catch (const CLI::CallForHelp&) {
        return TextRequest{app.help()};
    } catch (const CLI::ParseError& error) {
        std::string message = error.what();
        std::replace(message.begin(), message.end(), '\n', ' ');
        const auto chosen = app.get_subcommands();
        throw InputError(fmt::format("{} ('emergence-cli {}--help' lists the options)", message,
                                     chosen.empty() ? "" : chosen.front()->get_name() + " "));
    }
    return request_of(app.get_subcommands().front()->get_name(), raw);
}

}  // namespace emergence::cli
