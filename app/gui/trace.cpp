#include "app/gui/trace.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/gui/panels/status.h"
#include "core/base/text.h"

namespace emergence {

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

}  // namespace emergence
