// The window's program: options, one trainer, one window, and the loop between them.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "app/export/pixels.h"
#include "app/gui/first_run.h"
#include "app/gui/session/live_trainer.h"
#include "app/gui/session/session.h"
#include "app/gui/session/state_text.h"
#include "app/gui/shell/preferences_file.h"
#include "app/gui/shell/window.h"
#include "app/gui/trace.h"
#include "app/gui/workbench.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;
constexpr int kNoDisplay = 4;

std::atomic<bool> asked_to_leave{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

// The first one closes the window in order, with its run kept; the second ends it at once.
void on_signal(int signal) {
    asked_to_leave = true;
    std::signal(signal, SIG_DFL);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Runs whose trainers share a convoy advance side by side.
std::unique_ptr<TrainerLink> start_trainer(const Restart& first, int threads, double steps_per_second,
                                           const std::shared_ptr<Convoy>& convoy, Window& window) {
    Trainer::Options how;
    how.threads = threads;
    how.steps_per_second = steps_per_second;
    how.on_publish = [&window] { window.wake(); };
    how.convoy = convoy;
    how.find_experiment = find_experiment;
    return std::make_unique<LiveTrainer>(first, std::move(how));
}

Session start_session(const ExperimentInfo& info, const Settings& settings, Session::Options options,
                      Window& window, Jobs& jobs, std::shared_ptr<const Checkpoint> from) {
    const auto convoy = std::make_shared<Convoy>();
    const double pace = options.pace.value_or(first_pace(info, options.steps_per_second));
    options.open_other = [convoy, pace, &window](const Restart& first, int threads) {
        return start_trainer(first, threads, pace, convoy, window);
    };
    auto link = start_trainer({info.name, settings, options.running, std::move(from)}, options.threads, pace,
                              convoy, window);
    return Session(info, settings, std::move(link), jobs, std::move(options));
}

// What the window was started with: what the file had, and what the options put in its place.
struct Start {
    const Options& options;
    const Preferences& kept;
};

// All that is to be kept, wherever it is chosen.
Preferences present_preferences(const Workbench& workbench, const Session& session, const Window& window,
                                const Start& start) {
    Preferences preferences = workbench.preferences();
    preferences.look.presenting = false;
    preferences.window = window.place();
    preferences.steps_per_second = session.usual_pace();
    const SetAside* aside = workbench.lesson().aside();
    const Setup own = aside != nullptr ? aside->session.setup : session.kept().setup;
    remember(preferences, own.experiment->name, own.settings);
    return without_options(std::move(preferences), start.options, start.kept);
}

void run_window(Options options) {
    PreferencesFile file(options.keeps_preferences ? preferences_folder() : std::nullopt);
    const Preferences kept = file.load();
    const Preferences preferences = with_options(kept, options);
    const Start started_with{options, kept};
    const FirstRun first = first_run(options, preferences, find_experiment);
    Window window({preferences.window, options.trace, &asked_to_leave});
    Jobs jobs([&window] { window.wake(); });
    Session::Options start_as;
    start_as.steps_per_second = preferences.steps_per_second;
    start_as.pace = options.pace;
    start_as.threads = threads_of(preferences);
    start_as.go_to = first.step;
    start_as.running = !options.paused && !start_as.go_to && !first.waits;
    Session session = start_session(*first.experiment, first.settings, std::move(start_as), window, jobs,
                                    first.saved ? first.saved->checkpoint : nullptr);
    Workbench workbench(jobs, preferences);
    // A window that only takes a picture, or is driven by a test, leaves runs as they are. Before
    // anybody looks for interrupted ones: this one is in use.
    const bool writes = options.keeps_preferences || (options.screenshot.empty() && !options.trace);
    if (first.saved) workbench.runs().began_with(*first.saved, session, writes);
    if (const auto runs = options.keeps_preferences ? default_runs_folder() : std::nullopt)
        workbench.runs().use(*runs, find_experiment);
    workbench.runs_panel().use(default_runs_folder().value_or("out"), find_experiment);
    workbench.phase_diagram().use(default_sweeps_folder(), find_experiment);
    workbench.door().show_next_as(first.view);
    if (first.file) workbench.was_opened_from(*first.file, session, first.preset);
    workbench.door().begin_lesson_at(static_cast<size_t>(options.lesson_step - 1));
    if (!first.more.empty()) workbench.door().open_beside(first.more, session);
    const bool first_start = kept.experiment.empty() && kept.settings.empty() && options.files.empty();
    if (options.keeps_preferences && first_start) workbench.offer_tour();
    if (options.handbook) workbench.open_handbook(*options.handbook);
    Trace trace;
    const auto start = std::chrono::steady_clock::now();
    while (!window.closing()) {
        const bool photograph = !options.screenshot.empty() && seconds_since(start) >= options.after;
        const double patience =
            options.screenshot.empty() ? 1.0 : std::max(0.0, options.after - seconds_since(start));
        const bool frame =
            window.wait_for_frame(std::min(1.0, patience)) || photograph || workbench.needs_frame(session);
        file.keep(present_preferences(workbench, session, window, started_with), seconds_since(start));
        for (const std::string& sentence : file.take_notices()) {
            session.report(sentence);
            window.wake();
        }
        if (!frame) continue;
        for (const KeyPress& key : window.take_keys()) workbench.press(key, session);
        if (const auto dropped = window.take_dropped(); !dropped.empty()) workbench.drop(dropped, session);
        session.update();
        window.set_full_screen(workbench.full_screen());
        window.set_title("Emergence: " + workbench.title(session));
        const Ui& ui = window.begin_frame(workbench.look());
        workbench.draw(ui, session, window.timing());
        const bool asked = workbench.take_photograph();
        PixelImage picture = window.end_frame(photograph || asked);
        if ((session.time().playing() || workbench.waiting()) && !window.hidden()) window.wake();
        if (options.trace) trace.print(session, workbench, window.timing(), ui.log);
        if (photograph) {
            write_file(options.screenshot,
                       std::string_view(png_of(picture, "Emergence",
                                               settings_in_screenshot(session, workbench.view_values()))));
            break;
        }
        if (asked) workbench.files().save_screenshot(std::move(picture), session, workbench.view_values());
    }
    workbench.runs().finish(session);
    file.flush(present_preferences(workbench, session, window, started_with));
}

int run_program(int argc, char** argv) {
    Options options;
    if (const auto farewell = read_options(argc, argv, options)) {
        fmt::print(farewell->status == 0 ? stdout : stderr, "{}", farewell->text);
        return farewell->status;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
    try {
        run_window(std::move(options));
        return 0;
    } catch (const NoDisplayError& error) {
        fmt::print(stderr, "emergence: {}\n", error.what());
        return kNoDisplay;
    } catch (const InputError& error) {
        fmt::print(stderr, "emergence: {}\n", error.what());
        return kBadInput;
    } catch (const std::exception& error) {
        fmt::print(stderr, "emergence: {}\n", error.what());
        return kFailed;
    }
}

}  // namespace
}  // namespace emergence

int main(int argc, char** argv) { return emergence::run_program(argc, argv); }
