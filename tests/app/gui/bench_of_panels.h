#pragma once
// The whole workbench on a null backend with a stepped trainer, its settings open.

#include <memory>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/session/session.h"
#include "app/gui/workbench.h"
#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/stepped_trainer.h"

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
            gui.frame([this] { workbench.draw(gui.ui(), *session, {}); });
        }
    }
    void click(const std::string& widget) {
        gui.click(gui.log().centre(widget), [this] { frames(); });
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
        gui.press_key(code, true);
        frames();
        gui.press_key(code, false);
        frames(3);
    }
    template <class T>
    int count_sent() const {
        int count = 0;
        for (const Command& command : sent) count += std::holds_alternative<T>(command) ? 1 : 0;
        return count;
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
