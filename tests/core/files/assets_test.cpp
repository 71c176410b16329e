#include "core/files/assets.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using testing::message_of;
using testing::Scratch;
using testing::spit;

TEST_CASE("assets are found in the source tree, installed, or where the environment says") {
    const Scratch scratch;
    const fs::path executable = scratch / "build/app/emergence";
    CHECK(message_of<IoError>([&] {
              find_assets(executable, scratch / "here", std::nullopt);
          }).find("assets not found") == 0);
    fs::create_directories(scratch / "here/assets/presets");
    CHECK(find_assets(executable, scratch / "here", std::nullopt) == scratch / "here/assets");
    fs::create_directories(scratch / "assets/presets");
    CHECK(find_assets(executable, scratch / "here", std::nullopt) == scratch / "assets");
    // Installed below a checkout: with its own assets, not with those of the checkout.
    fs::create_directories(scratch / "build/share/emergence/presets");
    CHECK(find_assets(executable, scratch / "here", std::nullopt) == scratch / "build/share/emergence");
    fs::create_directories(scratch / "mine/presets");
    CHECK(find_assets(executable, scratch / "here", (scratch / "mine").string()) == scratch / "mine");
    CHECK_THROWS_WITH_AS(find_assets(executable, scratch / "here", (scratch / "other").string()),
                         doctest::Contains("is not a folder that holds a folder 'presets'"), InputError);
}

TEST_CASE("presets are listed and found by name only") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/wang-2.toml", "");
    spit(scratch / "presets/td.toml", "");
    spit(scratch / "presets/notes.txt", "");
    CHECK(preset_names(scratch.path()) == std::vector<std::string>{"td", "wang-2"});
    CHECK(preset_path(scratch.path(), "td") == scratch / "presets/td.toml");
    CHECK(message_of<InputError>([&] { preset_path(scratch.path(), "../presets/td"); }) ==
          "unknown preset '../presets/td', there are: td, wang-2");
    CHECK_THROWS_WITH_AS(preset_names(scratch / "none"), doctest::Contains("none/presets: cannot be listed"), IoError);
}

}  // namespace
}  // namespace emergence
