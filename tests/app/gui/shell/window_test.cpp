#include "app/gui/shell/window.h"

#include <doctest/doctest.h>

#include <tuple>

using namespace emergence;

TEST_CASE("training leaves a thread after three late frames in a row, until frames keep up, each time for longer") {
    constexpr double kSlow = 0.05, kQuick = 0.01;
    LateFrames late;
    double now = 100.0;
    const auto leaves = [&](double seconds, int frames) {
        bool last = false;
        for (int i = 0; i < frames; ++i) last = late.note(seconds, now += 0.1);
        return last;
    };
    using Frames = std::tuple<double, int, bool>;
    for (const auto& [seconds, frames, left] :
         {Frames(kSlow, 2, false), Frames(kQuick, 1, false), Frames(kSlow, 3, true), Frames(kQuick, 15, true),
          Frames(kQuick, 10, false), Frames(kSlow, 3, true), Frames(kQuick, 35, true), Frames(kSlow, 1, true),
          Frames(kQuick, 35, true), Frames(kQuick, 10, false)})
        CHECK(leaves(seconds, frames) == left);
}

TEST_CASE("the first window fits its screen, with the desktop's border around it") {
    const WindowPlace first;
    CHECK(fitted(first, {0, 0, 1920, 1080}) == first);
    const WindowPlace small = fitted(first, {0, 27, 1280, 693}, {1, 30, 1, 1});
    CHECK(small.width == 1278);
    CHECK(small.height == 662);
    CHECK_FALSE(small.corner);
    // Panels need their room even on a screen that has less.
    CHECK(fitted(first, {0, 0, 800, 480}).width == kSmallestWidth);
    CHECK(fitted(first, {0, 0, 800, 480}).height == kSmallestHeight);
}

TEST_CASE("a window that was left on a larger screen, or at its edge, comes back whole") {
    const WindowPlace left{1600, 1000, std::pair(300, 200), false};
    CHECK(fitted(left, {0, 0, 3840, 2160}) == left);
    CHECK(fitted(left, {0, 0, 1920, 1080}) == WindowPlace{1600, 1000, std::pair(300, 80), false});
    CHECK(fitted(left, {0, 0, 1280, 720}) == WindowPlace{1280, 720, std::pair(0, 0), false});
    // On a second screen, right of the first.
    CHECK(fitted({1600, 1000, std::pair(1700, 50), false}, {1280, 0, 1920, 1080}).corner == std::pair(1600, 50));
}
