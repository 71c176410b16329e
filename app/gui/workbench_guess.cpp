// The game of guessing in the window: its keys, and what it opens and writes.
#include <fmt/format.h>

#include "app/gui/workbench.h"

namespace emergence {

// The letters and digits of the sheet are no commands while it has the keys.
bool Workbench::answers_guess(const KeyPress& key) {
    layers_.follow();
    return layers_.top() != nullptr && layers_.top()->window == "guess" && guess_.press(key);
}

void Workbench::draw_guess(const Ui& ui, Session& session) {
    guess_.follow(session);
    guess_.draw(ui, session, preferences_.maps);
    try {
        if (const auto opened = guess_.take_opened()) {
            const std::string name = opened->riddle.name();
            const RiddleNetwork& network = *opened->network;
            const std::filesystem::path file = files_.write_weights(network.shown, opened->riddle.file_name());
            door_.look_inside(file, network.preset, network.settings, name, session);
        }
        if (const auto csv = guess_.take_export()) {
            const std::filesystem::path file = files_.write_text(*csv, "guesses", ".csv");
            toasts_.add("Wrote " + file.filename().string(), file.string());
        }
    } catch (const std::exception& error) {
        session.report(error.what());
    }
}

}  // namespace emergence
