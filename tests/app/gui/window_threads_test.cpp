// Every thread of the window at once, for ThreadSanitizer: two real trainers, jobs that evaluate moments of the past,
// export, sweep and save, and the writing of preferences, while frames are drawn and keys are pressed.
#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "app/gui/session/followed_run.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/workbench.h"
#include "core/experiments/registry.h"
#include "tests/app/gui/null_gui.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

namespace fs = std::filesystem;

// The window on real trainers of the toy, with everything that it stores in `home`.
struct BusyWindow {
    explicit BusyWindow(const fs::path& home) : preferences_file(home), workbench(jobs, first_preferences(home)) {
        Session::Options options;
        options.threads = 2;
        options.open_other = [this](const Restart& first, int threads) { return open(first, threads); };
        const Settings settings = toy_settings({"num_steps=1000000"});
        session = std::make_unique<Session>(toy_info(), settings, open({"toy", settings, true}, 2), jobs, options);
        workbench.runs().use(home / "runs", find_toy);
        workbench.phase_diagram().use(home, find_experiment);
        fs::create_directory(home / "exports");
        spit(home / "sweep.toml", small_sweep("field = \"n\"\nvalues = [5]\n"));
    }

    static Preferences first_preferences(const fs::path& home) {
        Preferences preferences;
        preferences.autosave_seconds = 1;
        preferences.export_folder = (home / "exports").string();
        return preferences;
    }
    std::unique_ptr<TrainerLink> open(const Restart& first, int threads) {
        Trainer::Options options;
        options.steps_per_second = 2000;
        options.threads = threads;
        options.convoy = convoy;
        options.find_experiment = find_toy;
        options.on_publish = [this] { ++wakes; };
        return std::make_unique<LiveTrainer>(first, std::move(options));
    }
    void frame() {
        session->update();
        gui.adopt(workbench.look());
        gui.frame([this] { workbench.draw(gui.ui(), *session); });
        preferences_file.keep(workbench.preferences(), seconds_now());
    }
    void key(int code, int modifiers = 0) {
        workbench.press({code, modifiers}, *session);
        frame();
        frame();
    }
    void click(const std::string& widget) {
        gui.click(gui.log().centre(widget), [this] { frame(); });
    }
    // The limit only turns a hanging test into a failing one.
    template <class Done>
    void wait(const std::string& for_what, Done done) {
        CAPTURE(for_what);
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(300);
        while (std::chrono::steady_clock::now() < limit && !done()) frame();
        REQUIRE(done());
    }
    void wait_for_step(int64_t step) {
        wait("a step", [&] { return session->live_snapshot() && session->live_snapshot()->step >= step; });
    }

    std::atomic<int> wakes = 0;
    std::shared_ptr<Convoy> convoy = std::make_shared<Convoy>();
    NullGui gui;
    PreferencesFile preferences_file;
    Jobs jobs{[this] { ++wakes; }};
    std::unique_ptr<Session> session;
    Workbench workbench;
};

}  // namespace

#if defined(__SANITIZE_THREAD__)
TEST_CASE("ThreadSanitizer finds what it should overlook") {
    CHECK(dlsym(RTLD_DEFAULT, "__tsan_default_suppressions") != nullptr);  // as the sanitizer asks for it
}
#endif

TEST_CASE("training, comparing, evaluating, exporting, sweeping and saving go on side by side") {
    const Scratch scratch;
    BusyWindow window(scratch.path());
    window.wait_for_step(20);
    PhaseDiagram& diagram = window.workbench.phase_diagram();
    diagram.open_sweep(scratch / "sweep.toml");
    window.wait("the sweep's controls", [&] { return window.gui.log().drawn("phase start"); });
    window.click("phase start");
    diagram.close();
    window.workbench.files().export_panel().open_with(FigureChoice::Kind::plot);
    window.wait("the export panel", [&] { return window.gui.log().drawn("export start"); });
    window.click("export start");
    window.workbench.files().export_panel().close();

    window.session->toggle_compare();
    for (int i = 0; i < 2; ++i) {  // ThreadSanitizer takes half a minute for each
        window.session->set_field("probe", 1.0 + i);
        const double rate = 0.02 + 0.01 * i;
        window.session->set_field("learning_rate", rate);
        window.session->end_gesture();
        window.key(GLFW_KEY_SPACE);
        window.key(GLFW_KEY_SPACE);
        window.workbench.act(Action::toggle_theme, *window.session);
        // Of the restarted run: a restart shows the live moment again.
        window.wait("the restarted run", [&] {
            const auto& live = window.session->live_snapshot();
            return live->settings.number("learning_rate") == rate && live->step >= 20;
        });
        // The first moment: of later ones thinning may leave none near to a given step.
        window.session->show_step(0);
        window.wait("a moment of the past",
                    [&] { return window.session->snapshot() && window.session->snapshot()->step == 0; });
        window.session->show_live();
    }
    window.wait("the run's folder", [&] { return !window.workbench.runs().folder().empty(); });
    window.wait("the sweep", [&] {
        const auto news = diagram.worker().news();
        return !diagram.worker().running() && news.scores && news.scores->size() == 2;
    });
    window.wait("the exported files", [&] { return count_entries(scratch / "exports") > 0; });
    window.preferences_file.flush(window.workbench.preferences());
    CHECK(fs::exists(scratch / "preferences.toml"));
    CHECK(window.wakes > 0);
    window.workbench.runs().finish(*window.session);
}

TEST_SUITE_END();
