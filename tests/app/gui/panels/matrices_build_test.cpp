#include "app/gui/panels/matrices.h"

#include <doctest/doctest.h>

#include "tests/app/gui/null_gui.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

Snapshot snapshot_of(int emerged) {
    Snapshot snapshot;
    snapshot.seeds.resize(4);
    for (int i = 0; i < 4; ++i) snapshot.seeds[static_cast<size_t>(i)].emerged = i < emerged;
    return snapshot;
}

const std::vector<MatrixDepartures> kBoth = {
    {"P", {"R by φ"}, {{{2, 0}, 0.2, "write features", "up to 0.2 in size, theory 0"}}},
    {"Q", {"γφ' by φ"}, {{{1, 0}, 0.4, "part of the target's gradient", "0.4 on the diagonal, theory 0"}}}};

}  // namespace

TEST_CASE("the line names the blocks that differ most, and that the rule holds all the same") {
    const TheoryLine line = theory_line(snapshot_of(4), {}, kBoth);
    REQUIRE_FALSE(line.sentences.empty());
    CHECK(line.sentences.front() ==
          "Not as in theory: Q, γφ' by φ (part of the target's gradient); P, R by φ "
          "(write features)");
    CHECK(line.sentences.back() == "Not as in theory: Q, γφ' by φ; 1 more");
    check_holds(line.details, {"0.4 on the diagonal, theory 0", "4 of 4 look like theory"});
    const TheoryLine mean = theory_line(snapshot_of(2), {}, kBoth);
    CHECK(mean.sentences.front().starts_with("Mean of 4, not as in theory: "));
    MatrixView one;
    one.seed_index = 3;
    CHECK(theory_line(snapshot_of(2), one, kBoth).sentences.empty());  // it trains on, and has not emerged
    one.seed_index = 0;
    CHECK(theory_line(snapshot_of(2), one, kBoth).sentences.front().starts_with("Not as in theory: "));
}

TEST_CASE("nothing is said where matrices agree, nor while noise trains on; what has not emerged is told at the end") {
    CHECK(theory_line(snapshot_of(4), {}, {{"P", {}, {}}}).sentences.empty());
    Snapshot none = snapshot_of(0);
    none.status.state = RunState::running;
    CHECK(theory_line(none, {}, kBoth).sentences.empty());
    none.status.state = RunState::finished;
    CHECK(theory_line(none, {}, kBoth).sentences.front().starts_with("Not as in theory: Q"));
}

TEST_CASE("a block that has been named stays named for a little less, so that words do not flicker") {
    const auto sized = [](double size) { return std::vector<Departure>{{{1, 0}, size, "", ""}}; };
    const double between = (kDeparts + kStillDeparts) / 2;
    CHECK(seen_departures(sized(between), {}).empty());
    CHECK(seen_departures(sized(between), sized(kDeparts)).size() == 1);
    CHECK(seen_departures(sized(kStillDeparts - 0.01), sized(kDeparts)).empty());
}

TEST_CASE("of several sentences the longest that fits is drawn, at most as wide as its room") {
    NullGui gui({900, 300});
    for (const float width : {120.0F, 300.0F, 860.0F}) {
        gui.frame_in_window([&] { draw_theory_line(gui.ui(), theory_line(snapshot_of(4), {}, kBoth), width); });
        const auto& place = gui.log().place("theory line");
        CHECK(place.max.x - place.min.x <= width);
    }
}
