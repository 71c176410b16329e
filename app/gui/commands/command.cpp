#include "app/gui/commands/command.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/shell/key_press.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence {

const WindowCommand& command(Action action) {
    const auto& all = commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const WindowCommand& one) { return one.action == action; });
    check(found != all.end(), "every action is in the table of commands");
    return *found;
}

std::vector<CommandTopic> commands_by_topic(const std::vector<Action>& only) {
    std::vector<CommandTopic> topics;
    for (const WindowCommand& one : commands()) {
        if (!only.empty() && std::find(only.begin(), only.end(), one.action) == only.end()) continue;
        auto found = std::find_if(topics.begin(), topics.end(),
                                  [&](const CommandTopic& topic) { return topic.name == one.topic; });
        if (found == topics.end()) found = topics.insert(topics.end(), {one.topic, {}});
        found->commands.push_back(&one);
    }
    return topics;
}

size_t first_column(const std::vector<CommandTopic>& topics) {
    constexpr size_t kHeading = 2;  // lines
    size_t lines = 0, listed = 0, count = 0;
    for (const CommandTopic& topic : topics) lines += topic.commands.size() + kHeading;
    for (const CommandTopic& topic : topics) {
        if (listed > 0 && 2 * listed + topic.commands.size() + kHeading > lines) break;
        listed += topic.commands.size() + kHeading;
        ++count;
    }
    return count;
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
