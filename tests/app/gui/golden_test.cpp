// Every preset's first logged moment is laid out at two sizes and, where tests/golden has a picture of it, compared
// with that. tests/golden.sh says how to run this and how to replace golden pictures.
//
// These cases are skipped unless --no-skip is given: they have ctest entries of their own, and the sanitized
// programs leave them out, since the other tests run the same code.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/views/run_views.h"
#include "core/settings/toml.h"
#include "tests/app/gui/pictures/golden.h"
#include "tests/app/gui/pictures/picture.h"
#include "tests/app/gui/pictures/picture_bench.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

bool lies_in(const WidgetLog::Place& place, const Box& box) {
    return place.min.x >= box.min.x - 1 && place.min.y >= box.min.y - 1 && place.max.x <= box.max().x + 1 &&
           place.max.y <= box.max().y + 1;
}

// The stage has half of what is not controls, and every picture lies whole on it or in a wing.
void check_pictures(PictureBench& bench, ImVec2 size) {
    const Layout& layout = bench.workbench().layout();
    const float top = layout.transport.shown() ? layout.transport.max().y : 0.0F;
    float bottom = size.y;
    for (const Box& box : {layout.timeline, layout.controls})
        if (box.shown()) bottom = std::min(bottom, box.min.y);
    const float share = layout.stage.size.x * layout.stage.size.y / (size.x * (bottom - top));
    CHECK(share >= 0.5F);
    std::vector<Box> rooms = layout.wings;
    rooms.push_back(layout.stage);
    int on_stage = 0;
    for (const auto& [name, place] : bench.gui().log().places()) {
        const bool picture = name.starts_with("heatmap ") || name.starts_with("plot ") || name.starts_with("drawing ");
        if (!picture || place.frame != ImGui::GetFrameCount()) continue;
        CAPTURE(name);
        CHECK(std::any_of(rooms.begin(), rooms.end(), [&](const Box& room) { return lies_in(place, room); }));
        on_stage += lies_in(place, layout.stage) ? 1 : 0;
    }
    for (const PictureCell& cell : bench.workbench().stage().on_stage())
        CHECK((on_stage > 0 || cell.kind == PictureCell::Kind::tiles));
}

// All that the preset says of the window is there: its pictures, and the fields of a presentation.
void check_view(const std::string& preset, const Session& session) {
    const SettingsFile file = read_settings(preset_path(assets_folder(), preset));
    REQUIRE(file.view);
    const Staging staging = staging_in(*file.view);
    CHECK_FALSE(staging.stage.empty());
    CHECK_FALSE(staging.wings.empty());
    CHECK(staging.controls.size() <= 2);
    const Settings settings(find_experiment(file.experiment).fields);
    for (const std::string& field : staging.controls) CHECK(settings.has(field));
    const PictureIds ids = picture_ids(session.study()->metric_plots(), *session.snapshot());
    std::set<std::string> seen;
    for (const auto* list : {&staging.stage, &staging.wings})
        for (const std::string& id : *list) {
            CAPTURE(id);
            CHECK((id == kAllMatrices || ids.has(id)));
            CHECK(seen.insert(id).second);
        }
}

// The area of each matrix' cells on the stage, and of each plot and drawing; theory's matrices are small in a
// presentation.
std::map<std::string, float> areas_on_stage(PictureBench& bench) {
    std::map<std::string, float> areas;
    for (const auto& [name, place] : bench.gui().log().places()) {
        const bool picture = (name.starts_with("cells ") && !name.ends_with(" theory")) || name.starts_with("plot ") ||
                             name.starts_with("drawing ");
        if (picture && place.frame == ImGui::GetFrameCount() && lies_in(place, bench.workbench().layout().stage))
            areas[name] = (place.max.x - place.min.x) * (place.max.y - place.min.y);
    }
    return areas;
}

// At two sizes, presented or not: every picture lies whole on the stage or in a wing, and a presentation makes what
// is on the stage larger.
void check_places(PictureBench& bench) {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(3840, 2160)}) {
        std::map<std::string, float> before;
        for (const bool presenting : {false, true}) {
            INFO(size.x, ", ", presenting);
            bench.lay_out(size, presenting);
            check_pictures(bench, size);
            for (const auto& [name, area] : areas_on_stage(bench)) {
                CAPTURE(name);
                CHECK(area >= before[name]);  // cells are whole pixels
                before[name] = area;
            }
        }
    }
}

}  // namespace

TEST_SUITE_BEGIN("golden");

TEST_CASE("every preset looks like its golden pictures, and names and places its pictures" * doctest::skip()) {
    for (const std::string& preset : names_to_draw(preset_names(assets_folder()))) {
        CAPTURE(preset);
        PictureBench bench(preset);
        bench.frames(2);
        bench.act(Action::close_overlay);  // a game that the preset opens would cover its pictures
        CHECK(bench.session().banners().empty());
        for (const std::string& theme : golden_themes(preset))
            CHECK(compared_with_golden(preset + "-" + theme,
                                       bench.picture(theme == "dark" ? Theme::dark : Theme::light)) == "");
        check_view(preset, bench.session());
        check_places(bench);
    }
}

TEST_CASE("tests/golden holds pictures of presets, of every experiment and in both themes" * doctest::skip()) {
    std::set<std::string> expected;
    std::map<std::string, int> of_experiment, of_theme;
    for (const std::string& preset : preset_names(assets_folder())) {
        for (const char* theme : {"-dark.png", "-light.png"}) expected.insert(preset + theme);
        const std::string experiment = read_settings(preset_path(assets_folder(), preset)).experiment;
        for (const std::string& theme : golden_themes(preset)) ++of_experiment[experiment], ++of_theme[theme];
    }
    for (const std::string& name : extra_pictures(expected))
        FAIL_CHECK(name << " belongs to no preset. Remove it: sh tests/golden.sh --record");
    for (const ExperimentInfo& experiment : experiments()) {
        CAPTURE(experiment.name);
        CHECK(of_experiment[experiment.name] > 0);
    }
    CHECK(of_theme["dark"] >= 6);
}

TEST_CASE("a picture depends neither on threads, the working directory nor on what was drawn before" *
          doctest::skip()) {
    const Scratch elsewhere;
    const std::filesystem::path here = std::filesystem::current_path();
    const std::vector<std::string> presets = preset_names(assets_folder());
    for (size_t i = 1; i < presets.size(); i += 17) {
        const std::string preset = presets[i];
        CAPTURE(preset);
        const auto both = [&](int threads) {
            PictureBench bench(preset, threads);
            PixelImage dark = bench.picture(Theme::dark);
            PixelImage light = bench.picture(Theme::light);
            CHECK(bench.picture(Theme::dark).pixels == dark.pixels);  // it had settled
            return std::pair(std::move(dark), std::move(light));
        };
        const auto [dark, light] = both(1);
        std::filesystem::current_path(elsewhere.path());
        const auto [dark_again, light_again] = both(2);
        std::filesystem::current_path(here);
        CHECK(dark.pixels == dark_again.pixels);
        CHECK(light.pixels == light_again.pixels);
    }
}

// tests/window_smoke.sh takes the picture, whose file says which settings and which step it shows.
TEST_CASE("the real window shows what the rasteriser draws" * doctest::skip()) {
    const char* file = std::getenv("EMERGENCE_WINDOW_PICTURE");
    if (file == nullptr) return;
    Options options;
    options.files = {file};
    const PixelImage real = read_picture(file);
    PictureBench bench(options);
    // The first pixel is a panel's ground or the gap around it.
    const bool dark = (real.pixels.front() & 0xFFU) < 128;
    CHECK(compared(dark ? "real-window-dark" : "real-window-light",
                   halved(bench.picture(dark ? Theme::dark : Theme::light)), halved(real)) == "");
}

TEST_SUITE_END();
