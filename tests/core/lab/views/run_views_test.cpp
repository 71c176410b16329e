// What is said of a run's networks.
#include "core/lab/views/run_views.h"

#include <doctest/doctest.h>

namespace emergence::counts_test {
namespace {

Judged judged(const char* label, std::optional<bool> own) { return {label, label, "computes it", own}; }

}  // namespace

TEST_CASE("the count is a sentence to be read aloud: how many compute the algorithm, and what the others do") {
    Snapshot snapshot;
    snapshot.seeds.resize(8);
    snapshot.headline = "least regret 4";
    CHECK(result_words(snapshot) == "least regret 4");
    snapshot.emergence_rule = "a rule";
    CHECK(result_words(snapshot) == "0 of 8 emerged");
    for (SeedStatus& seed : snapshot.seeds) seed.emerged = true, seed.judged = judged("TD", true);
    snapshot.algorithm = "TD";
    CHECK(result_words(snapshot) == "8 of 8 networks compute TD");
    snapshot.seeds[3].judged = judged("no named algorithm", false);
    snapshot.seeds[4].judged = judged("between", false);
    snapshot.seeds[5].judged = judged("between", false);
    CHECK(result_words(snapshot) == "5 of 8 networks compute TD; 2 between, 1 no named algorithm");
    CHECK(count_words(snapshot).what.back() == "compute TD");
    CHECK(is_counted(snapshot.seeds[0]));
    CHECK_FALSE(is_counted(snapshot.seeds[3]));
    CHECK(state_words(snapshot, snapshot.seeds[4]) == "between");
    snapshot.algorithm.clear();  // the loss names no algorithm of the map
    CHECK(result_words(snapshot) == "8 networks: 2 between, 1 no named algorithm");
    snapshot.seeds.resize(1);
    snapshot.algorithm = "TD";
    CHECK(result_words(snapshot) == "1 of 1 network computes TD");
    snapshot.seeds[0].judged = judged("undecided", false);
    snapshot.headline = "one layer cannot show it";
    CHECK(result_words(snapshot) == "1 network: 1 undecided; one layer cannot show it");
}

TEST_CASE("a network's words have its verdict, and what its weights look like") {
    Snapshot snapshot;
    snapshot.emergence_rule = "a rule";
    snapshot.algorithm = "TD";
    snapshot.step_unit = "MRPs";
    SeedStatus seed{3, 100, false, ""};
    seed.judged = judged("no named algorithm", false);
    seed.lacks = {{"P's corner", 0.22, 0.33}};
    CHECK(network_words(snapshot, seed) ==
          "seed 3: computes it\nIts weights do not look like TD: P's corner is 0.22, not above 0.33");
    seed.emerged = true;
    seed.emerged_at = 40;
    seed.judged->since = 60;
    CHECK(network_words(snapshot, seed) == "seed 3: computes it\nIts weights look like TD, since 40 MRPs");
    seed.judged->own = true;
    CHECK(
        network_words(snapshot, seed) ==
        "seed 3: computes it\nIt first did so for ten logged steps from 60 MRPs on.\nIts weights look like TD, since 40 MRPs");
    seed.judged.reset();
    CHECK(network_words(snapshot, seed) == "seed 3: emerged, since 40 MRPs");
    CHECK(words_of({"bootstrap + is not lit"}) == "bootstrap + is not lit");
    CHECK(words_of({"a trace", 2, 1, false}) == "a trace is 2, not below 1");
}

}  // namespace emergence::counts_test

using namespace emergence;

namespace {

using Ids = std::vector<std::string>;

const PictureIds kIds{{"P0", "Q0", "Z"}, {"loss", "similarity", "msve"}, {"world"}, {}, true};

}  // namespace

TEST_CASE("each picture stands where the staging says, and the rest is folded away") {
    const PicturePlaces places = place_pictures({{"P0", "Q0"}, {"msve", "loss"}, {}}, kIds);
    CHECK(places.stage == Ids{"P0", "Q0"});
    CHECK(places.wings == Ids{"msve", "loss"});
    CHECK(places.more == Ids{"Z", "world", "similarity", "seeds"});
}

TEST_CASE("unknown and repeated ids are skipped") {
    const PicturePlaces places = place_pictures({{"nothing", "loss", "loss"}, {"loss", "msve", "?"}, {}}, kIds);
    CHECK(places.stage == Ids{"loss"});
    CHECK(places.wings == Ids{"msve"});
}

TEST_CASE("all matrices are those that are not named elsewhere") {
    const PicturePlaces places = place_pictures({{"loss"}, {"matrices", "Z", "seeds"}, {}}, kIds);
    CHECK(places.wings == Ids{"P0", "Q0", "Z", "seeds"});
    CHECK(places.more == Ids{"world", "similarity", "msve"});
}

TEST_CASE("without a staging the matrices have the stage, then the world, then the first plot") {
    PictureIds ids = kIds;
    CHECK(place_pictures({}, ids).stage == Ids{"P0", "Q0", "Z"});
    CHECK(place_pictures({}, ids).wings == Ids{"world", "loss", "similarity", "msve"});
    CHECK(place_pictures({}, ids).more == Ids{"seeds"});
    ids.matrices.clear();
    ids.tiles = false;
    CHECK(place_pictures({}, ids).stage == Ids{"world"});
    ids.scenes.clear();
    CHECK(place_pictures({}, ids).stage == Ids{"loss"});
    ids.plots.clear();
    CHECK(place_pictures({}, ids) == PicturePlaces());
}

TEST_CASE("a plot that the user asked for comes first in the wings, unless it has a place") {
    PictureIds ids = kIds;
    ids.leading = {"similarity", "loss"};
    CHECK(place_pictures({{"P0"}, {"msve", "loss"}, {}}, ids).wings == Ids{"similarity", "msve", "loss"});
    CHECK(place_pictures({{"similarity"}, {"loss"}, {}}, ids).stage == Ids{"similarity"});
}
