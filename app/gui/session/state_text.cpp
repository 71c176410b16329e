#include "app/gui/session/state_text.h"

namespace emergence {

std::string state_text(const Session& session, const ViewValues& view) {
    PictureOrigin origin;
    origin.short_form = true;
    if (!view.empty()) origin.view = view;
    const bool rests = !session.time().live() || !session.wants_to_run();
    if (rests && session.snapshot()) origin.step = session.snapshot()->step;
    return settings_to_toml(session.info().name, session.settings(), origin);
}

std::string settings_in_screenshot(const Session& session, const ViewValues& view) {
    if (!session.snapshot()) return "";
    const Snapshot& snapshot = *session.snapshot();
    return settings_to_toml(snapshot.experiment, snapshot.settings, {"screenshot", snapshot.step, view});
}

}  // namespace emergence
