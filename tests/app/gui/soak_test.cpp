// Everything at once and at random, for long: what no one thought of trying.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "core/base/rng.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

class Monkey {
  public:
    Monkey(BenchOfPanels& bench, uint64_t seed) : bench_(bench), random_(seed, Purpose::testing) {}

    void act() {
        ImGuiIO& io = ImGui::GetIO();
        point();
        if (chance(0.3)) io.MouseDown[0] = chance(0.5);
        if (chance(0.05)) io.MouseDown[1] = chance(0.5);
        if (chance(0.02)) io.MouseDown[2] = chance(0.3);
        io.MouseWheel = chance(0.1) ? static_cast<float>(random_.uniform(-2, 2)) : 0.0F;
        if (chance(0.05)) io.KeyCtrl = chance(0.3);
        if (chance(0.05)) io.KeyShift = chance(0.3);
        if (chance(0.10)) type();
        for (const ImGuiKey key :
             {ImGuiKey_Enter, ImGuiKey_Escape, ImGuiKey_Tab, ImGuiKey_Backspace, ImGuiKey_LeftArrow})
            if (chance(0.05)) bench_.gui.press_key(key, chance(0.4));
        if (chance(0.08) && !io.WantTextInput) press_shortcut();
        if (chance(0.004)) resize();
        if (chance(0.002)) bench_.trainer->notify("bad news " + std::to_string(pick(6)));
    }

  private:
    bool chance(double share) { return random_.uniform() < share; }
    size_t pick(size_t count) { return static_cast<size_t>(random_.uniform(0, static_cast<double>(count))) % count; }

    // Anywhere, or on a widget, so that small ones are met as often as large ones; outside and nowhere too.
    void point() {
        ImGuiIO& io = ImGui::GetIO();
        if (chance(0.5)) return;
        const auto& places = bench_.gui.log().places();
        if (chance(0.5) && !places.empty()) {
            const auto& place = std::next(places.begin(), static_cast<std::ptrdiff_t>(pick(places.size())))->second;
            io.MousePos = {static_cast<float>(random_.uniform(place.min.x, place.max.x + 1.0F)),
                           static_cast<float>(random_.uniform(place.min.y, place.max.y + 1.0F))};
        } else {
            io.MousePos = {static_cast<float>(random_.uniform(-20, io.DisplaySize.x + 20)),
                           static_cast<float>(random_.uniform(-20, io.DisplaySize.y + 20))};
        }
    }

    void type() {
        static const std::string kLetters = "0123456789.-e aZ/\xC3\xA9";
        ImGui::GetIO().AddInputCharactersUTF8(std::string(1, kLetters[pick(kLetters.size())]).c_str());
    }

    void press_shortcut() {
        const WindowCommand& one = commands()[pick(commands().size())];
        if (one.chords.empty() || chance(0.5)) {
            bench_.workbench.act(one.action, *bench_.session);
            return;
        }
        const KeyChord& chord = one.chords[pick(one.chords.size())];
        bench_.workbench.press({chord.key, chord.modifiers}, *bench_.session);
    }

    void resize() {
        const ImVec2 kSizes[] = {{1024, 700}, {1280, 720}, {1600, 1000}, {1080, 1920}, {3840, 2160}, {960, 600}};
        ImGui::GetIO().DisplaySize = kSizes[pick(std::size(kSizes))];
    }

    BenchOfPanels& bench_;
    Stream random_;
};

}  // namespace

TEST_CASE("10,000 frames of random input leave everything standing") {
    // It types names of folders too, and exports into them.
    const testing::Scratch scratch;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.path());
    for (const uint64_t seed : {7, 8}) {
        BenchOfPanels bench({"num_steps=3000", "diverge_seed=2", "diverge_step=1500"}, {1280, 720}, true);
        bench.workbench.use_for_lessons(find_toy);  // the stepped trainer knows no other experiment
        bench.workbench.files().export_panel().choices().folder = scratch.path().string();
        Monkey monkey(bench, seed);
        for (int i = 0; i < 5000; ++i) {
            monkey.act();
            bench.frames();
        }
        REQUIRE(bench.session->snapshot() != nullptr);
        CHECK(std::isfinite(bench.workbench.layout().stage.size.x));
    }
    std::filesystem::current_path(before);
}
