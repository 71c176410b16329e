#include "app/gui/shell/preferences_file.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/files/atomic_write.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) { return std::string(as_text(read_file(path, 1 << 20))); }

Preferences light() {
    Preferences p;
    p.look.theme = Theme::light;
    return p;
}

}  // namespace

TEST_CASE("preferences come back at the next start, in a folder that is made for them") {
    const Scratch scratch;
    const fs::path folder = scratch.path() / "a" / "emergence";
    {
        PreferencesFile file(folder);
        CHECK(file.load() == Preferences());
        file.flush(light());
        CHECK(file.take_notices().empty());
    }
    PreferencesFile file(folder);
    CHECK(file.load() == light());
    CHECK(file.take_notices().empty());
}

TEST_CASE("they are written once they have been still for a second, and only when they differ") {
    const Scratch scratch;
    const fs::path path = scratch.path() / "preferences.toml";
    Preferences p;
    {
        PreferencesFile file(scratch.path());
        p = file.load();
        file.keep(p, 0.0);
        file.keep(p, 10.0);
    }
    CHECK_FALSE(fs::exists(path));
    {
        PreferencesFile file(scratch.path());
        file.load();
        for (int i = 0; i < 20; ++i) {
            p.look.ui_scale = 1.0F + 0.05F * static_cast<float>(i);
            file.keep(p, 0.3 * i);
        }
        file.keep(p, 6.0);
    }
    CHECK_FALSE(fs::exists(path));  // never the same for a second
    {
        PreferencesFile file(scratch.path());
        file.load();
        file.keep(p, 0.0);
        file.keep(p, 1.1);
    }
    CHECK(parse_preferences(text_of(path), "") == p);
}

TEST_CASE("a damaged file is set aside with a notice, and nothing of it is lost") {
    const Scratch scratch;
    const fs::path path = scratch.path() / "preferences.toml";
    for (const int n : {1, 2}) {
        write_file(path, "theme = \"li");
        PreferencesFile file(scratch.path());
        CHECK(file.load() == Preferences());
        const auto notices = file.take_notices();
        REQUIRE(notices.size() == 1);
        const std::string aside = "preferences.toml.damaged-" + std::to_string(n);
        CHECK(notices[0].find(aside) != std::string::npos);
        CHECK(text_of(scratch.path() / aside) == "theme = \"li");
        CHECK_FALSE(fs::exists(path));
        file.flush(light());
        CHECK(parse_preferences(text_of(path), "") == light());
    }
}

TEST_CASE("every beginning of a file is read or refused, never more") {
    Preferences p = light();
    p.settings["td"]["seed"] = int64_t{3};
    const std::string text = preferences_to_toml(p, "");
    for (size_t length = 0; length < text.size(); ++length) {
        const Scratch scratch;
        write_file(scratch.path() / "preferences.toml", text.substr(0, length));
        PreferencesFile file(scratch.path());
        file.load();
        CHECK(file.take_notices().size() <= 1);
    }
}

TEST_CASE("where nothing can be written one notice says so") {
    const Scratch scratch;
    write_file(scratch.path() / "file", "");
    PreferencesFile file(scratch.path() / "file" / "emergence");  // a file cannot be a folder
    file.load();
    file.take_notices();
    Preferences p = light();
    for (int i = 0; i < 3; ++i) {
        p.threads = i;
        file.flush(p);
    }
    CHECK(file.take_notices().size() == 1);
    CHECK(text_of(scratch.path() / "file").empty());
}

TEST_CASE("without a folder nothing is read, written or said") {
    PreferencesFile file(std::nullopt);
    CHECK(file.load() == Preferences());
    file.keep(light(), 0.0);
    file.keep(light(), 9.0);
    file.flush(light());
    CHECK(file.take_notices().empty());
}
