// What a newcomer sees first.
#include <doctest/doctest.h>

#include "tests/app/gui/pictures/picture_bench.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("the opening shows P and Q large, with theory beside, two sliders, and a sentence from the data") {
    Options options;
    options.preset = "opening";
    PictureBench bench(options);
    for (const auto& [size, least] : {std::pair{ImVec2{1600, 1000}, 300.0F}, std::pair{ImVec2{3840, 2160}, 800.0F}}) {
        CAPTURE(size.x);
        bench.lay_out(size, false);
        const auto place = [&](const char* name) { return bench.gui().log().place(name); };
        for (const char* name : {"cells P0 learned", "cells Q0 learned"}) {
            CAPTURE(name);
            CHECK(place(name).max.x - place(name).min.x >= least);
            CHECK(place(name).max.y - place(name).min.y >= least);
        }
        for (const char* name : {"cells P0 theory", "num_layers", "eval_context_length", "plot similarity",
                                 "plot msve_by_context_length", "panel watch", "more"}) {
            CAPTURE(name);
            CHECK(bench.gui().log().drawn(name));
        }
    }
}
