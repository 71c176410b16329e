#include "app/gui/commands/quantity_lines.h"

#include <doctest/doctest.h>

#include "tests/support/quantity_run.h"

using namespace emergence;

TEST_CASE("what is typed is a quantity with a number, or one that may go on") {
    const FinishedRun finished = testing::quantity_run({0, 1, 2}, {{1}, {2}, {6}});
    const RunView run(finished);
    CHECK(quantity_lines("median(metric loss)", run).answer.starts_with("2 ("));
    CHECK(quantity_lines("metric loss / 2", run).answer == "0.5, 1, 3 (of 3 seeds)");
    CHECK(quantity_lines("new seeds", run).endings.empty());
    CHECK(quantity_lines("step", run).answer.empty());  // a command is meant
    const auto ends = [&](const std::string& typed) {
        std::vector<std::string> texts;
        for (const auto& one : quantity_lines(typed, run).endings) texts.push_back(one.text);
        return texts;
    };
    CHECK(ends("lo") == std::vector<std::string>{});
    CHECK(ends("Loss") == std::vector<std::string>{"metric loss"});
    CHECK(ends("median(metric l") == std::vector<std::string>{"median(metric loss"});
    CHECK(ends("mean(metric loss) / dev") == std::vector<std::string>{"mean(metric loss) / deviation("});
    CHECK(ends("median(").size() > 3);
    const QuantityLines wrong = quantity_lines("median(metric lss)", run);
    CHECK(wrong.answer.empty());
    CHECK(wrong.why_not.starts_with("column 8: unknown metric 'lss'"));
    CHECK(quantity_lines("mean(step)", RunView()).answer.empty());
}
