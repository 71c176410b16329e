#include "core/lab/views/picture_places.h"

#include <doctest/doctest.h>

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
