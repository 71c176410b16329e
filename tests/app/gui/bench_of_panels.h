#pragma once
// The whole workbench on a null backend with a stepped trainer, its settings open.

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/session/session.h"
#include "app/gui/workbench.h"
#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/stepped_trainer.h"
#include "tests/support/scratch.h"

namespace emergence::testing {

struct BenchOfPanels {
    explicit BenchOfPanels(const std::vector<std::string>& changes = {}, ImVec2 size = {1600, 1000},
                           bool running = false)
        : gui(size) {
        const Settings settings = toy_settings(changes);
        auto link = std::make_unique<SteppedTrainer>(settings, running, sent);
        trainer = link.get();
        Session::Options options;
        options.running = running;
        options.threads = 2;
        options.open_other = [this](const Restart& first, int) {
            auto other = std::make_unique<SteppedTrainer>(first.settings, first.run_now, sent_to_other);
            trainer_of_other = other.get();
            return other;
        };
        session = std::make_unique<Session>(toy_info(), settings, std::move(link), jobs, std::move(options));
        workbench.door().use(find_toy);
        frames(3);
    }

    void frames(int count = 1) {
        for (int i = 0; i < count; ++i) {
            session->update();
            gui.adopt(workbench.look());
            gui.frame([this] { workbench.draw(gui.ui(), *session); });
        }
    }
    void step(int count = 1) {
        for (int i = 0; i < count; ++i) session->step_once();
        frames(2);
    }
    /// Frames until `done`, and until that is drawn; the limit only turns a hanging test into a failing one.
    template <class Done>
    void wait(Done done) {
        for (int i = 0; i < 20000 && !done(); ++i) {
            frames();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        REQUIRE(done());
        frames(2);
    }
    bool drawn(const std::string& widget) const { return gui.log().drawn(widget); }
    const WidgetLog::Place& place(const std::string& widget) const { return gui.log().place(widget); }
    ImVec2 centre(const std::string& widget) const { return gui.log().centre(widget); }
    float width(const std::string& widget) const { return place(widget).max.x - place(widget).min.x; }
    /// The point of a widget at these shares of its width and height.
    ImVec2 at(const std::string& widget, float right, float down = 0.5F) const {
        const WidgetLog::Place& box = place(widget);
        return {box.min.x + right * (box.max.x - box.min.x), box.min.y + down * (box.max.y - box.min.y)};
    }
    void click_at(ImVec2 where) {
        gui.click(where, [this] { frames(); });
    }
    void click(const std::string& widget) { click_at(centre(widget)); }
    /// Holds the button down at the first place and moves to each of the others.
    void press_along(std::initializer_list<ImVec2> way) {
        for (const ImVec2& where : way) {
            gui.move(where);
            frames();
            gui.button(true);
            frames();
        }
    }
    void release() {
        gui.button(false);
        frames(2);
    }
    void type(const std::string& text) {
        gui.type(text, [this] { frames(); });
    }
    /// By the menu, or where it does not stand there as the palette does it.
    void choose(Action action) {
        click("menu");
        frames(2);
        const std::string row = std::string("command ") + command(action).label;
        if (gui.log().drawn(row)) {
            click(row);
            return;
        }
        key(GLFW_KEY_ESCAPE);
        act(action);
    }
    /// As the window does with a key.
    void key(int code, int modifiers = 0) {
        workbench.press({code, modifiers, false, ImGui::GetIO().WantTextInput}, *session);
        frames(2);
    }
    /// What has no key: as the palette does it.
    void act(Action action) {
        workbench.act(action, *session);
        frames(2);
    }
    /// As ImGui sees a key.
    void hit(ImGuiKey code) {
        gui.hit(code, [this] { frames(); });
        frames(2);
    }
    template <class T>
    int count_sent() const {
        int count = 0;
        for (const Command& command : sent) count += std::holds_alternative<T>(command) ? 1 : 0;
        return count;
    }
    /// There is one banner, with these words.
    void check_banner(const std::string& words) const {
        REQUIRE(session->banners().size() == 1);
        CHECK_MESSAGE(holds(session->banners()[0], words), session->banners()[0]);
    }
    const Snapshot& snapshot() const { return *session->snapshot(); }
    static Preferences with_settings() {
        Preferences preferences;
        preferences.settings_open = true;
        return preferences;
    }

    std::vector<Command> sent;
    std::vector<Command> sent_to_other;
    SteppedTrainer* trainer = nullptr;
    SteppedTrainer* trainer_of_other = nullptr;  // only while there is a run B
    NullGui gui;
    Jobs jobs;
    std::unique_ptr<Session> session;
    Workbench workbench{jobs, with_settings()};
};

}  // namespace emergence::testing
