#pragma once
// Run, pause, step, reset, new seed, pace and stop condition.

#include <functional>
#include <optional>
#include <string>

#include "app/gui/commands/command.h"
#include "app/gui/panels/experiment_chooser.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// The height that the panel needs, in pixels.
float transport_height(const Ui& ui, const Session& session);
/// What the panel asks of the window.
struct TransportWish {
    std::optional<Action> action;
    std::optional<ChosenEntry> entry;  // to be opened
};
/// `why_not` says why a command is unavailable now, "" if it is available.
using WhyNot = std::function<std::string(Action)>;
TransportWish draw_transport(const Ui& ui, const Box& box, Session& session, ExperimentChooser& chooser,
                             const WhyNot& why_not);

}  // namespace emergence
