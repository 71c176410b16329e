// No text is cut: every experiment's window and every preset's pictures, lessons, lists and palette are laid out at
// many sizes, and what was drawn is read back from the draw lists. Colours move no letter, so one theme stands for
// both.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/lessons/lesson_files.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/views/run_views.h"
#include "core/settings/toml.h"
#include "tests/app/gui/pictures/picture_bench.h"
#include "tests/app/gui/pictures/text_scan.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct Kind {
    ImVec2 size;
    float type = 1.0F;
    bool presenting = false;
};

const std::array<Kind, 8> kKinds = {{{{1280, 720}},
                                     {{1280, 720}, 1.0F, true},
                                     {{3840, 2160}},
                                     {{1366, 768}},
                                     {{1600, 1000}},
                                     {{1280, 720}, 1.5F},
                                     {{1366, 768}, 1.5F},
                                     {{3840, 2160}, 1.5F}}};
// The narrowest, the presented and the largest window: each new size costs a new atlas of letters. The largest type is
// looked at with td's pictures alone.
constexpr size_t kForAll = 3;

// What ends in an ellipsis or lies on other text with a reason.
struct Allowed {
    const char* part;
    const char* why;
};
constexpr std::array<Allowed, 8> kAllowed = {
    {{"| average reward", "two algorithms at neighbouring places of the map"},
     {"ellipsis: …", "numbers of the headline that two lines have no room for: hovering names them"},
     {"Open…", "a dialog follows"},
     {"Export…", "a list follows"},
     {"Saved in ", "where the preferences are"},
     {"Write your own…", "a page of the handbook follows"},
     {"batch TD, longest context (= ", "a legend's entry that stands for two equal curves: hovering names both"},
     {"the saved run at", "a place in a run"}}};

bool allowed(const std::string& fault) {
    return std::any_of(kAllowed.begin(), kAllowed.end(), [&](const Allowed& one) { return holds(fault, one.part); });
}

using Faults = std::map<std::string, std::string>;  // with where it was seen first

void take_faults(const std::string& where, const Kind& kind, Faults& faults) {
    for (const std::string& fault : text_faults(drawn_lines(*ImGui::GetDrawData())))
        if (!allowed(fault))
            faults.try_emplace(fault, fmt::format("{} at {}x{}, type {}{}", where, kind.size.x, kind.size.y, kind.type,
                                                  kind.presenting ? ", presented" : ""));
}

void check_none(const Faults& faults) {
    for (const auto& [fault, where] : faults) FAIL_CHECK(fault << "   (" << where << ")");
}

void lay_out(PictureBench& bench, const Kind& kind) {
    bench.lay_out(kind.size, kind.presenting);
    bench.workbench().toasts().clear();
}

Staging staging_of(const std::string& preset) {
    const SettingsFile file = read_settings(preset_path(assets_folder(), preset));
    return file.view ? staging_in(*file.view) : Staging();
}

bool shows(const PictureBench& bench, const Staging& staging) {
    const PictureIds ids = picture_ids(bench.session().study()->metric_plots(), *bench.session().snapshot());
    for (const auto* list : {&staging.stage, &staging.wings})
        for (const std::string& id : *list)
            if (id != kAllMatrices && !ids.has(id)) return false;
    return true;
}

std::unique_ptr<PictureBench> bench_of(const std::string& preset, float type = 1.0F) {
    Options options;
    options.preset = preset;
    options.ui_scale = type;
    options.seeds = 2;  // enough for every word
    auto bench = std::make_unique<PictureBench>(options);
    bench->frames(2);
    bench->act(Action::close_overlay);  // a game that the preset opens would cover its pictures
    return bench;
}

// Looks at the first `kinds` of all kinds; a size of type has a bench of its own.
void look_at(const std::string& preset, size_t kinds, const std::function<void(PictureBench&, const Kind&)>& look) {
    for (const float type : {1.0F, 1.5F}) {
        if (std::none_of(kKinds.begin(), kKinds.begin() + static_cast<std::ptrdiff_t>(kinds),
                         [type](const Kind& kind) { return kind.type == type; }))
            continue;
        const std::unique_ptr<PictureBench> bench = bench_of(preset, type);
        for (size_t i = 0; i < kinds; ++i) {
            if (kKinds[i].type != type) continue;
            lay_out(*bench, kKinds[i]);
            look(*bench, kKinds[i]);
        }
    }
}

}  // namespace

TEST_SUITE_BEGIN("release");

TEST_CASE("no text of a preset is cut") {
    Faults faults;
    std::map<std::string, std::vector<std::string>> presets;  // by experiment
    for (const std::string& preset : preset_names(assets_folder()))
        presets[read_settings(preset_path(assets_folder(), preset)).experiment].push_back(preset);
    for (const auto& [experiment, names] : presets)
        look_at(names.front(), experiment == "td" ? kKinds.size() : kForAll,
                [&](PictureBench& bench, const Kind& kind) {
                    take_faults(names.front(), kind, faults);
                    for (int way = 0; way < 2; ++way) {  // its settings, open and closed again
                        bench.act(Action::toggle_settings);
                        bench.frames(3);
                        take_faults(names.front() + ", settings", kind, faults);
                    }
                    for (size_t k = 1; k < names.size(); ++k) {
                        const Staging staging = staging_of(names[k]);
                        if (!shows(bench, staging)) continue;
                        bench.workbench().stage().open(staging, std::nullopt);
                        bench.frames(3);
                        take_faults(names[k], kind, faults);
                    }
                    bench.workbench().stage().open(staging_of(names.front()), std::nullopt);
                });
    check_none(faults);
}

TEST_CASE("P and Q of the opening are what is seen first") {
    const std::unique_ptr<PictureBench> bench = bench_of("opening");
    for (const auto& [size, least] : {std::pair(ImVec2(1600, 1000), 300.0F), std::pair(ImVec2(3840, 2160), 800.0F)}) {
        bench->lay_out(size, false);
        for (const char* matrix : {"cells P0 learned", "cells Q0 learned"}) {
            const WidgetLog::Place& place = bench->place(matrix);
            CHECK(std::min(place.max.x - place.min.x, place.max.y - place.min.y) >= least);
        }
    }
}

TEST_CASE("settings without effect are hidden until they are looked for") {
    const std::unique_ptr<PictureBench> bench = bench_of("td");
    lay_out(*bench, kKinds.front());
    bench->act(Action::toggle_settings);
    bench->frames(3);
    CHECK(bench->drawn("mask"));
    CHECK_FALSE(bench->drawn("mask_lambda"));
    bench->answer(ask::ShowSetting{"mask_lambda"});
    bench->frames(3);
    CHECK(bench->drawn("mask_lambda"));
}

TEST_CASE("two runs side by side say their value errors, and nothing of it is cut") {
    Faults faults;
    look_at("td", kForAll, [&](PictureBench& bench, const Kind& kind) {
        if (bench.session().other() == nullptr) bench.act(Action::compare);
        bench.frames(5);
        take_faults("A beside B", kind, faults);
        int said = 0, compared = 0;
        for (const DrawnLine& line : drawn_lines(*ImGui::GetDrawData())) {
            if (std::string_view(line.window) != "emerged") continue;
            said += holds(line.text, "value error ") ? 1 : 0;
            compared += holds(line.text, ", lower in ") ? 1 : 0;
        }
        CAPTURE(kind.size.x);
        CHECK(said == 2);
        CHECK(compared == 2);
    });
    check_none(faults);
}

TEST_CASE("no title of a preset, no line of a list and of the palette is cut") {
    Faults faults;
    look_at("td", kForAll, [&](PictureBench& bench, const Kind& kind) {
        if (kind.presenting) return;
        for (const Action list : {Action::open_lessons, Action::palette, Action::toggle_preferences}) {
            bench.act(list);
            bench.frames(3);
            take_faults(fmt::format("list {}", static_cast<int>(list)), kind, faults);
            bench.act(Action::close_overlay);
            bench.frames(1);
        }
        bench.gui().click(bench.centre("menu"), [&] { bench.frames(1); });
        bench.frames(3);
        take_faults("menu", kind, faults);
        bench.act(Action::close_overlay);
        bench.frames(2);
        for (const std::string& preset : preset_names(assets_folder())) {
            SettingsFile file = read_settings(preset_path(assets_folder(), preset));
            bench.workbench().was_opened_from(file, bench.session(), preset);
            bench.frames(1);
            take_faults(preset, kind, faults);
        }
    });
    check_none(faults);
}

// Its sentences are wrapped, so that one step of each shows what may not fit.
TEST_CASE("no text of a lesson is cut") {
    Faults faults;
    const std::unique_ptr<PictureBench> bench = bench_of("td");
    for (const LessonInfo& lesson : shipped_lessons()) {
        bench->answer(ask::BeginLesson{lesson.path, 0});
        for (int i = 0; i < 4000; ++i) {
            bench->frames(1);
            const LessonRoom& room = bench->workbench().lesson();
            if (room.is_open() && room.player().phase() != LessonPlayer::Phase::opening) break;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        REQUIRE(bench->workbench().lesson().is_open());
        for (size_t i = 0; i < 2; ++i) {
            lay_out(*bench, kKinds[i]);
            take_faults(lesson.name, kKinds[i], faults);
        }
    }
    check_none(faults);
}

TEST_CASE("a theme moves no letter") {
    const std::unique_ptr<PictureBench> bench = bench_of("td");
    const auto lines = [&] {
        bench->frames(8);
        std::vector<std::string> all;
        for (const DrawnLine& line : drawn_lines(*ImGui::GetDrawData()))
            all.push_back(fmt::format("{} {} {}", line.text, line.min.x, line.min.y));
        return all;
    };
    const std::vector<std::string> dark = lines();
    bench->act(Action::toggle_theme);
    CHECK(lines() == dark);
    CHECK(dark.size() > 50);
}

TEST_SUITE_END();
