#include "core/lab/trainer/inbox.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <thread>

using namespace emergence;

namespace {

// Restarts by name, the others by letter: "a P b" is Restart a, Pause, Restart b.
std::string letters(const std::vector<Command>& commands) {
    std::string text;
    for (const Command& command : commands)
        if (const auto* restart = std::get_if<Restart>(&command))
            text += restart->experiment;
        else
            text += "RPO?LVT"[command.index()];
    return text;
}

std::vector<Command> commands_of(const std::string& text) {
    std::vector<Command> commands;
    for (const char c : text)
        if (c == 'R')
            commands.emplace_back(Resume{});
        else if (c == 'P')
            commands.emplace_back(Pause{});
        else if (c == 'O')
            commands.emplace_back(StepOnce{});
        else if (c == 'L')
            commands.emplace_back(SetLive{});
        else if (c == 'V')
            commands.emplace_back(SetPace{});
        else if (c == 'T')
            commands.emplace_back(SetThreads{});
        else
            commands.emplace_back(Restart{.experiment = std::string(1, c), .settings = {}});
    return commands;
}

std::string thinned(const std::string& text) { return letters(without_superseded(commands_of(text))); }

}  // namespace

TEST_CASE("of restarts that follow each other the last one is left") {
    CHECK(thinned("") == "");
    CHECK(thinned("abc") == "c");
    CHECK(thinned("RaPbVcT") == "RPVcT");
    CHECK(thinned("aLbc") == "aLc");
    CHECK(thinned("abLc") == "bLc");
    CHECK(thinned("LabR") == "LbR");
}

TEST_CASE("commands come out once, in order") {
    LockMeter meter;
    Inbox inbox(meter);
    for (const Command& command : commands_of("RaPbO")) inbox.push(command);
    CHECK(letters(inbox.drain()) == "RaPbO");
    CHECK(inbox.drain().empty());
    CHECK(meter.longest() == 0.0);
}

TEST_CASE("a wait ends with a command, with closing, or not at all begins") {
    LockMeter meter;
    Inbox inbox(meter);
    inbox.wait(0.0);
    const double forever = std::numeric_limits<double>::infinity();
    std::thread sender([&inbox] { inbox.push(Pause{}); });
    inbox.wait(forever);
    sender.join();
    CHECK(letters(inbox.drain()) == "P");
    std::thread closer([&inbox] { inbox.close(); });
    inbox.wait(1e6);
    closer.join();
    CHECK(inbox.closed());
}
