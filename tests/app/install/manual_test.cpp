#include "app/install/manual.h"

#include <doctest/doctest.h>

#include "app/cli/command.h"
#include "core/experiments/registry.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a page says what --help says") {
    CommandWords program{"tool", "Does it.", {{{"-q", "--quiet"}, "", {}, "Say nothing"}}, {}, {}};
    program.arguments.push_back({{"file"}, "FILE", {}, ".dots, a \\ and - signs", true});
    const std::string page = program_page(program, "It is small.", {{"Notes", "", {{"one", "first"}}}});
    CHECK(page.starts_with(".TH \"TOOL\" 1 "));
    CHECK(contains(page, "tool \\- Does it\n"));
    CHECK(contains(page, "\\fBtool\\fR [\\fIoptions\\fR] \\fIFILE\\fR\n"));
    CHECK(contains(page, "\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nSay nothing\n"));
    CHECK(contains(page, "\n\\&.dots, a \\e and \\- signs\n"));
    CHECK(contains(page, ".SH \"NOTES\"\n.TP\n\\fBone\\fR\nfirst\n"));
}

TEST_CASE("every command, option, experiment and field is in the manual") {
    const CommandWords words = cli::command_words();
    const std::string page = command_line_page(words, experiments());
    for (const CommandWords& command : words.commands) CHECK(contains(page, ".SS \"" + command.name + "\""));
    CHECK(contains(page, "\\fB\\-\\-autosave\\fR \\fIS\\fR"));
    const std::string fields = experiments_page({testing::toy_info()});
    CHECK(contains(fields, ".SH \"toy\"\n"));
    for (const FieldInfo& field : *testing::toy_info().fields) {
        CAPTURE(field.name);
        CHECK(contains(fields, "\\fB" + field.name + "\\fR ("));
    }
}

// What roff would take for a request, or would swallow.
TEST_CASE("no line of a page is taken for a request by accident") {
    for (const std::string& page :
         {command_line_page(cli::command_words(), experiments()), experiments_page(experiments())})
        for (size_t at = page.find('\n'); at + 1 < page.size(); at = page.find('\n', at + 1)) {
            const std::string line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
            CAPTURE(line);
            CHECK_FALSE(line.empty());
            CHECK((line[0] != '.' || line.starts_with(".SH ") || line.starts_with(".SS ") || line == ".TP" ||
                   line == ".PP" || line == ".br"));
            CHECK(line[0] != '\'');
        }
}

}  // namespace
}  // namespace emergence
