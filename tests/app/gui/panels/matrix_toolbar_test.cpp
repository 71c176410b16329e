#include "app/gui/panels/matrices.h"

#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "core/lab/views/run_views.h"
#include "tests/app/gui/null_gui.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("surgery names a weight matrix and its blocks as the snapshot does, and offers nothing on others") {
    NullGui gui({800, 600});
    const ExperimentInfo& td = find_experiment("td");
    Settings settings(td.fields);
    const std::vector<Block> blocks = {{"\u03c6", 2}, {"R", 1}};
    Snapshot snapshot;
    snapshot.matrices = {ShownMatrix("Q0", "", "").square(blocks).seed(Table(3, 3, 1.0), Table(3, 3, 1.0)),
                         ShownMatrix("attention", "", "").square(blocks).seed(Table(3, 3, 1.0))};
    SurgeryMenu menu;
    Asks asks;
    const auto frame = [&] { gui.frame_in_window([&] { menu.draw(gui.ui(), settings, snapshot, asks); }); };
    // The text that was asked for.
    const auto wanted = [&] {
        const std::vector<Ask> all = asks.take();
        REQUIRE(all.size() == 1);
        return std::get<std::string>(std::get<ask::Set>(all[0]).value);
    };
    const auto opened = [&](const char* matrix) {
        menu.open(matrix, 0, 1);
        frame();
        frame();
        return gui.log().drawn("surgery none");
    };
    CHECK_FALSE(opened("attention"));
    CHECK_FALSE(opened("gone"));
    REQUIRE(opened("Q0"));
    CHECK_FALSE(gui.log().drawn("surgery snap"));  // without theory
    gui.click(gui.log().centre("surgery zero Q0[\u03c6,R]"), frame);
    const std::string zeroed = wanted();
    CHECK(zeroed == "zero Q0[\u03c6,R]");
    settings.set(FieldRole::surgery, zeroed);
    CHECK_NOTHROW(td.check(settings));

    snapshot.matrices[0].target = Table(3, 3, 1.0);
    REQUIRE(opened("Q0"));
    gui.click(gui.log().centre("surgery snap"), frame);
    CHECK(wanted() == "zero Q0[\u03c6,R]; snap");
    REQUIRE(opened("Q0"));
    gui.click(gui.log().centre("surgery take back"), frame);
    CHECK(wanted() == "");

    settings.set("activation", std::string("tanh"));  // the setting does not act
    CHECK_FALSE(opened("Q0"));
}
