#include "app/gui/shell/preferences_file.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "core/files/atomic_write.h"
#include "tests/support/failing_calls.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;
TEST_SUITE_BEGIN("threads");

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

TEST_CASE("two windows on one file lose nothing, in whatever order they write") {
    for (const bool first_closes_last : {false, true}) {
        const Scratch scratch;
        Preferences p;
        p.recent = {"/a", "/b"};
        p.lessons = {{"tour", 1}};
        PreferencesFile(scratch.path()).flush(p);
        PreferencesFile a(scratch.path()), b(scratch.path());
        Preferences of_a = a.load(), of_b = b.load();
        of_a.recent.insert(of_a.recent.begin(), "/from a");
        of_a.lessons["tour"] = 3;
        of_a.stagings["opening"].stage = {"msve"};
        of_a.settings["td"]["seed"] = int64_t{1};
        of_b.recent.insert(of_b.recent.begin(), "/from b");
        of_b.lessons["tour"] = 5;
        of_b.lessons["bandits"] = 2;
        of_b.stagings["one-layer-flow"].stage = {"map"};
        of_b.settings["regression"]["seed"] = int64_t{2};
        of_b.look.theme = Theme::light;
        if (first_closes_last) b.flush(of_b);
        a.flush(of_a);
        b.flush(of_b);
        // What a window has not read it does not take away with its next change, either.
        of_a.threads = 7;
        a.flush(of_a);
        of_b.autosave_seconds = 77;
        b.flush(of_b);
        Preferences now = PreferencesFile(scratch.path()).load();
        CHECK(now.lessons == std::map<std::string, int64_t>{{"bandits", 2}, {"tour", 5}});
        CHECK(now.stagings.size() == 2);
        CHECK(now.settings.size() == 2);
        CHECK(now.recent.size() == 4);
        CHECK(now.look.theme == Theme::light);
        CHECK(now.threads == 7);
        CHECK(now.autosave_seconds == 77);
    }
}

TEST_CASE(
    "what the user writes into the file while the window is open stays; a file that is damaged then is set aside") {
    const Scratch scratch;
    const fs::path path = scratch.path() / "preferences.toml";
    PreferencesFile file(scratch.path());
    Preferences p = file.load();
    p.threads = 3;
    file.flush(p);
    write_file(path, text_of(path) + "\n[mine]\nnote = 1\n");
    p.threads = 4;
    file.flush(p);
    CHECK(text_of(path).find("note = 1") != std::string::npos);
    write_file(path, "theme = \"li");
    p.threads = 5;
    file.flush(p);
    CHECK(text_of(scratch.path() / "preferences.toml.damaged-1") == "theme = \"li");
    CHECK(parse_preferences(text_of(path), "").threads == 5);
    CHECK(file.take_notices().size() == 1);
}

TEST_CASE("preferences that could not be written are written half a minute later") {
    const Scratch scratch;
    const fs::path path = scratch.path() / "preferences.toml";
    PreferencesFile file(scratch.path());
    Preferences p = file.load();
    p.threads = 1;
    for (const SystemCall call : kFileCalls) {
        if (call == SystemCall::mkdir) continue;
        const FailingCalls fault(call, 1, ENOSPC, true);
        file.flush(p);
        if (call != SystemCall::close) CHECK_FALSE(fs::exists(path));
    }
    CHECK_FALSE(file.take_notices().empty());
    p.threads = 2;
    file.keep(p, 0.0);
    file.keep(p, 40.0);
    file.flush(p);
    CHECK(parse_preferences(text_of(path), "") == p);
    CHECK(file.take_notices().empty());
}

TEST_CASE("a link that leads to the preferences stays one") {
    const Scratch scratch;
    fs::create_directory(scratch / "config");
    fs::create_directory(scratch / "dotfiles");
    fs::create_symlink("../dotfiles/emergence.toml", scratch / "config/preferences.toml");
    for (const int threads : {1, 2}) {
        PreferencesFile file(scratch / "config");
        Preferences p = file.load();
        p.threads = threads;
        file.flush(p);
        CHECK(file.take_notices().empty());
        CHECK(parse_preferences(text_of(scratch / "dotfiles/emergence.toml"), "").threads == threads);
    }
    CHECK(fs::is_symlink(scratch / "config/preferences.toml"));
}

TEST_SUITE_END();
