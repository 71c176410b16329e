#include "app/gui/shell/preferences.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "tests/support/failing_calls.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("each declared preference goes into the file, comes back and is merged") {
    const Preferences standard;
    const Settings values = values_of(standard);
    for (const FieldInfo& field : values.fields()) {
        CAPTURE(field.name);
        Settings other = values;
        if (std::holds_alternative<bool>(field.default_value))
            other.set(field.name, !std::get<bool>(field.default_value));
        else if (std::holds_alternative<int64_t>(field.default_value))
            other.set(field.name, static_cast<int64_t>(field.maximum));
        else if (std::holds_alternative<double>(field.default_value))
            other.set(field.name, field.maximum);
        else
            other.set(field.name, field.choices.empty() ? std::string("x") : field.choices.back());
        Preferences changed;
        take_values(changed, other);
        REQUIRE_FALSE(changed == standard);
        CHECK(parse_preferences(preferences_to_toml(changed, ""), "file") == changed);
        CHECK(merged(changed, standard, standard) == changed);
        CHECK(merged(standard, standard, changed) == changed);
    }
}

TEST_CASE("what is not known is kept, what is not possible has its default") {
    const std::string old =
        "theme = 7\nui_scale = 99\nthreads = -1\nflavour "
        "= \"salt\"\n"
        "[window]\nwidth = 12\nheight = 800\nx = 4\n[layout]\nleft = \"wide\"\nright = nan\n"
        "[later]\nlist = [1, 2.5, {a = 1}]\nwhen = 2026-01-02\n\"odd key\" = 'x'\n[later.\"a.b\"]\nc = "
        "true\n[settings]\ntd = 4\n[settings.toy]\nseed = [1]\n";
    const Preferences p = parse_preferences(old, "file");
    Preferences expected;
    expected.window.height = 800;
    expected.settings["toy"] = {};
    CHECK(p == expected);
    const std::string text = preferences_to_toml(p, old);
    check_holds(text, {"flavour", "list", "odd key"});
    CHECK(parse_preferences(text, "file") == expected);
    CHECK(preferences_to_toml(p, text) == text);
    CHECK(holds(text, "ui_scale = 1.0\n"));
}

TEST_CASE("of what was last set only what is still allowed comes back") {
    Preferences p;
    p.settings["toy"] = {
        {"seed", int64_t{5}}, {"gone", 1.0}, {"learning_rate", 1e9}, {"num_steps", std::string("many")}};
    Settings settings(toy_info().fields);
    recall(p, "toy", settings);
    CHECK(settings == toy_settings({"seed=5"}));
    Settings other(toy_info().fields);
    recall(p, "td", other);
    CHECK(other == toy_settings({}));
}

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
        CHECK(holds(notices[0], aside));
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
    for (size_t length = 0; length < text.size(); length += 7) {  // in the midst of each kind of line
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

TEST_CASE("two windows on one file lose nothing but recent files, in whatever order they write") {
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
        of_b.stagings["invariant-set"].stage = {"map"};
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
        CHECK(now.recent.size() == 3);
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
    CHECK(holds(text_of(path), "note = 1"));
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

TEST_SUITE_END();
