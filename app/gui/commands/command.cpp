#include "app/gui/commands/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/gui/shell/key_press.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace emergence {

const WindowCommand& command(Action action) {
    const auto& all = commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const WindowCommand& one) { return one.action == action; });
    check(found != all.end(), "every action is in the table of commands");
    return *found;
}

const WindowCommand* command_for(const KeyChord& chord) {
    const int held = counted_modifiers(chord.modifiers), key = without_keypad(chord.key);
    for (const WindowCommand& one : commands())
        for (const KeyChord& of : one.chords)
            if (of.key == key && of.modifiers == held) return &one;
    return nullptr;
}

std::string tooltip_of(Action action) {
    const WindowCommand& of = command(action);
    return fmt::format("{}  ({})", capitalised(of.help), of.keys);
}

}  // namespace emergence
