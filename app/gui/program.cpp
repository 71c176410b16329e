#include "app/gui/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/export/pixel_files.h"
#include "app/gui/options.h"
#include "app/gui/panels/bars.h"
#include "app/gui/session/followed_run.h"
#include "app/gui/session/session.h"
#include "app/gui/session/view_values.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/shell/theme.h"
#include "app/gui/shell/window.h"
#include "app/gui/workbench.h"
#include "app/handbook/chapters.h"
#include "app/lessons/lesson_files.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

// Runs whose trainers share a convoy train side by side.
std::unique_ptr<TrainerLink> start_trainer(const Restart& first, int threads, double steps_per_second,
                                           const std::shared_ptr<Convoy>& convoy, const Jobs& jobs, Window& window) {
    Trainer::Options how;
    how.threads = threads;
    how.own_thread = jobs.threads_allowed();
#ifdef __EMSCRIPTEN__  // describing and drawing in software share the cores; a page draws 30 times a second
    how.publish_interval = 1.0 / 40;
#else
    how.publish_interval = 1.0 / 60;
#endif
    how.steps_per_second = steps_per_second;
    how.on_publish = [&window] { window.wake(); };
    how.convoy = convoy;
    how.find_experiment = find_experiment;
    return std::make_unique<LiveTrainer>(first, std::move(how));
}

Session start_session(const ExperimentInfo& info, const Settings& settings, Session::Options options, Window& window,
                      Jobs& jobs, std::shared_ptr<const Checkpoint> from) {
    const auto convoy = std::make_shared<Convoy>();
    const double pace = options.pace.value_or(first_pace(info, options.steps_per_second));
    options.open_other = [convoy, pace, &jobs, &window](const Restart& first, int threads) {
        return start_trainer(first, threads, pace, convoy, jobs, window);
    };
    auto link = start_trainer({info.name, settings, options.running, std::move(from)}, options.threads, pace, convoy,
                              jobs, window);
    return Session(info, settings, std::move(link), jobs, std::move(options));
}

Session first_session(const FirstRun& first, const Options& options, const Preferences& preferences, Window& window,
                      Jobs& jobs) {
    Session::Options start_as;
    start_as.steps_per_second = preferences.steps_per_second;
    start_as.pace = options.pace;
    start_as.threads = threads_of(preferences);
    start_as.go_to = first.step;
    start_as.running = !options.paused && !start_as.go_to && !first.waits;
    return start_session(*first.experiment, first.settings, std::move(start_as), window, jobs,
                         first.saved ? first.saved->checkpoint : nullptr);
}

void read_assets() {
    try {
        shipped_lessons();
        presets_in(assets_folder());
        handbook::read_chapters(assets_folder());
    } catch (const std::runtime_error&) {  // reported when they are asked for
    }
}

}  // namespace

// The trace on standard output. A program that drives the window waits for these lines; each is printed when it
// changes:
//   state NAME step N of TARGET run NUMBER pace P theme NAME help 0|1
//   set FIELD VALUE
//   frames PER_SECOND MILLISECONDS
//   widget X Y WIDTH HEIGHT NAME
class Trace {
  public:
    void print(const Session& session, const Workbench& workbench, const Timing& timing, const WidgetLog* log);

  private:
    void line(const std::string& key, const std::string& text);

    std::map<std::string, std::string> printed_;
};

void Trace::line(const std::string& key, const std::string& text) {
    std::string& last = printed_[key];
    if (last == text) return;
    last = text;
    fmt::print("{}\n", shown_lines(text));
}

void Trace::print(const Session& session, const Workbench& workbench, const Timing& timing, const WidgetLog* log) {
    for (const FieldInfo& field : session.settings().fields())
        line("set " + field.name, fmt::format("set {} {}", field.name, to_text(session.settings().value(field.name))));
    if (log != nullptr)
        for (const auto& [name, place] : log->places())
            if (place.visible && log->drawn(name))
                line("widget " + name, fmt::format("widget {:.0f} {:.0f} {:.0f} {:.0f} {}", place.min.x, place.min.y,
                                                   place.max.x - place.min.x, place.max.y - place.min.y, name));
    line("frames", fmt::format("frames {:.0f} {:.0f}", timing.frames_per_second, timing.frame_ms));
    if (session.live_snapshot()) {
        const Snapshot& snapshot = *session.live_snapshot();
        line("state",
             fmt::format("state {} step {} of {} run {} pace {:g} theme {} help {}", state_name(snapshot.status.state),
                         snapshot.step, snapshot.status.target_step, snapshot.run_number, session.pace(),
                         workbench.look().theme == Theme::dark ? "dark" : "light", workbench.help_open() ? 1 : 0));
    }
    std::fflush(stdout);
}

// Each member may use the members above it.
struct Program::Parts {
    Parts(Options given, const std::atomic<bool>* leave);

    void begin();
    Preferences present_preferences() const;
    void draw_frame(bool photograph);

    Options options;
    PreferencesFile file;
    Preferences kept;         // as read from the file
    Preferences preferences;  // overridden by the options
    FirstRun first;
    Window window;
    Jobs jobs;
    Session session;
    Workbench workbench;
    Trace trace;
    double start = 0.0;  // in seconds_now()
    bool photographed = false;
    LateFrames late;
};

Program::Parts::Parts(Options given, const std::atomic<bool>* leave)
    : options(std::move(given)),
      file(options.keeps_preferences ? preferences_folder() : std::nullopt, options.threads_allowed),
      kept(file.load()),
      preferences(with_options(kept, options)),
      first(first_run(options, preferences, find_experiment)),
      window({preferences.window, options.size.has_value(), options.trace, leave}),
      jobs([this] { window.wake(); }, options.threads_allowed),
      session(first_session(first, options, preferences, window, jobs)),
      workbench(jobs, preferences) {
    begin();
    start = seconds_now();
}

void Program::Parts::begin() {
    // A window that only takes a screenshot, or that a test drives, leaves the run's folder alone. This comes before
    // the search for interrupted runs, because this run is in use.
    const bool writes = options.keeps_preferences || (options.screenshot.empty() && !options.trace);
    if (first.saved) workbench.runs().began_with(*first.saved, session, writes);
    if (const auto runs = options.keeps_preferences ? default_runs_folder() : std::nullopt)
        workbench.runs().use(*runs, find_experiment);
    workbench.runs_panel().use(default_runs_folder().value_or("out"), find_experiment);
    workbench.phase_diagram().use(default_sweeps_folder(), find_experiment);
    workbench.door().show_next_as(first.view);
    if (first.file) workbench.was_opened_from(*first.file, session, first.preset);
    const auto lesson_step = static_cast<size_t>(options.lesson_step - 1);
    if (!first.more.empty()) workbench.door().open(first.more, session, true, lesson_step);
    const bool first_start = kept.experiment.empty() && kept.settings.empty() && options.files.empty();
    if (options.keeps_preferences && first_start) workbench.offer_tour();
    // Read what lists and the palette show before the user needs it.
    if (options.threads_allowed) jobs.post(Lane::run_list, [](const Jobs::Task&) { read_assets(); });
}

// Everything that preferences store, wherever it was chosen.
Preferences Program::Parts::present_preferences() const {
    Preferences present = workbench.preferences();
    present.look.presenting = false;
    present.window = window.place();
    present.steps_per_second = session.usual_pace();
    const SetAside* aside = workbench.lesson().aside();
    const Setup& own = aside != nullptr ? aside->session.setup : session.setup();
    remember(present, own.experiment->name, own.settings);
    if (aside == nullptr) present.preset = workbench.last_preset(session);
    return without_options(std::move(present), options, kept);
}

void Program::Parts::draw_frame(bool photograph) {
    for (const KeyPress& key : window.take_keys()) workbench.press(key, session);
    if (auto dropped = window.take_dropped(); !dropped.empty())
        workbench.answer(ask::Drop{std::move(dropped)}, session);
    session.update();
    window.set_full_screen(workbench.full_screen());
    window.set_title("Emergence: " + shown_text(workbench.title(session)));
    const Ui& ui = window.begin_frame(workbench.look());
    workbench.draw(ui, session);
    const PixelImage picture = window.end_frame(photograph);
    const bool leaves = late.note(1e-3 * static_cast<double>(window.timing().frame_ms), seconds_now());
    session.leave_thread(leaves && workbench.preferences().threads == 0);
    if ((session.time().playing() || workbench.waiting()) && !window.hidden()) window.wake();
    if (options.trace) trace.print(session, workbench, window.timing(), ui.log);
    if (!photograph) return;
    const std::string settings = settings_in_screenshot(session, workbench.view_values());
    write_file(options.screenshot, std::string_view(png_of(picture, "Emergence", settings)));
    photographed = true;
}

Program::Program(Options options, const std::atomic<bool>* leave)
    : parts_(std::make_unique<Parts>(std::move(options), leave)) {}

Program::~Program() = default;

bool Program::running() const { return !parts_->window.closing() && !parts_->photographed; }

void Program::turn() {
    Parts& p = *parts_;
    const double elapsed = seconds_now() - p.start;
    const bool pictures = !p.options.screenshot.empty();
    // On a busy machine the run's first moment comes late, and a run that cannot begin has none.
    constexpr double kLongestWait = 30.0;
    const double due = p.options.after + (p.session.live_snapshot() ? 0.0 : kLongestWait);
    const bool photograph = pictures && elapsed >= due;
    const double patience = pictures ? std::max(0.0, due - elapsed) : 1.0;
    const bool frame =
        p.window.wait_for_frame(std::min(1.0, patience)) || photograph || p.workbench.needs_frame(p.session);
    p.file.keep(p.present_preferences(), seconds_now() - p.start);
    for (const std::string& sentence : p.file.take_notices()) {
        p.session.report(sentence);
        p.window.wake();
    }
    if (frame) p.draw_frame(photograph);
}

std::string Program::finish() {
    std::string saved = parts_->workbench.runs().finish(parts_->session);
    parts_->file.flush(parts_->present_preferences());
    parts_->jobs.close();
    return saved;
}

}  // namespace emergence
