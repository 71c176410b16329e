// "Train on from here", in the whole window.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "tests/app/gui/pictures/picture_bench.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// Opens the menu of the block under the pointer, and chooses the first entry whose name begins so.
void choose_operation(PictureBench& bench, const std::string& entry) {
    ImGui::GetIO().MousePos = bench.gui().log().centre("cells Q0 learned");
    bench.frames(2);
    ImGui::GetIO().MouseDown[1] = true;
    bench.frames(1);
    ImGui::GetIO().MouseDown[1] = false;
    bench.frames(3);
    std::string name;
    for (const auto& [widget, place] : bench.gui().log().places())
        if (widget.starts_with(entry) && place.frame == ImGui::GetFrameCount()) name = widget;
    REQUIRE_FALSE(name.empty());
    bench.gui().click(bench.gui().log().centre(name), [&] { bench.frames(1); });
    bench.frames(3);
}

}  // namespace

TEST_CASE("training on begins a run with the weights that are shown, without the operation that made them") {
    const Scratch scratch;
    Options options;
    options.preset = "opening";
    PictureBench bench(options);
    bench.workbench().files().export_panel().choices().folder = scratch.path().string();
    bench.frames(8);
    choose_operation(bench, "surgery zero Q0[");
    const ArrayMap shown = bench.session().snapshot()->weights;
    const std::vector<double> operated = as_doubles(shown.at("operated Q"));
    REQUIRE(operated != as_doubles(shown.at("Q")));

    choose_operation(bench, "surgery train on");
    const Settings& settings = bench.session().settings();
    CHECK(settings.text("surgery").empty());
    CHECK(std::filesystem::path(settings.text("weights")).parent_path() == scratch.path());
    CHECK(bench.session().snapshot()->step == 0);
    CHECK(as_doubles(bench.session().snapshot()->weights.at("Q")) == operated);
}
