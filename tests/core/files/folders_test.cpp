#include "core/files/folders.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "tests/support/failing_calls.h"
#include "tests/support/no_more_files.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;
namespace fs = std::filesystem;
using namespace testing;

TEST_CASE("a folder is made with those above it; a file in its place is said") {
    const testing::Scratch scratch;
    make_folder(scratch / "a/b");
    make_folder(scratch / "a/b");
    CHECK(fs::is_directory(scratch / "a/b"));
    testing::spit(scratch / "file", "");
    CHECK_THROWS_WITH_AS(make_folder(scratch / "file/c"), doctest::Contains("cannot be made"), IoError);
    CHECK_THROWS_WITH_AS(make_folder(scratch / "file"), doctest::Contains("file: cannot be made: Not a directory"),
                         IoError);
}

TEST_CASE("a folder's entries are sorted, without what systems and editors leave there") {
    const testing::Scratch scratch;
    for (const char* name : {"b.toml", "a.toml", "._a.toml", ".DS_Store", ".a.toml.swp", "a.toml~", "#a.toml#",
                             ".#a.toml", "~$a.csv", "Thumbs.db", "desktop.ini"})
        testing::spit(scratch / name, "");
    fs::create_directory(scratch / ".git");
    CHECK(entries_in(scratch.path()) == std::vector<fs::path>{scratch / "a.toml", scratch / "b.toml"});
    CHECK(all_entries_in(scratch.path()).size() == 12);
    CHECK(entries_in(scratch / "none").empty());
    CHECK(entries_in(scratch / "a.toml").empty());
}

TEST_CASE("a typed path has no blanks around it, and ~ is the home folder") {
    CHECK(typed_path("  a b\t") == "a b");
    CHECK(typed_path(" \t").empty());
    CHECK(typed_path("~other/x") == "~other/x");
    if (const auto home = home_folder()) {
        CHECK(typed_path("~") == *home);
        CHECK(typed_path(" ~/figures ") == *home / "figures");
    }
}

TEST_CASE("a free path gets the first free number, before its ending") {
    const testing::Scratch scratch;
    CHECK(free_path(scratch / "a", ".png") == scratch / "a.png");
    testing::spit(scratch / "a.png", "");
    testing::spit(scratch / "a-3.png", "");
    CHECK(free_path(scratch / "a", ".png") == scratch / "a-2.png");
    make_folder(scratch / "td-0.5");
    CHECK(free_path(scratch / "td-0.5") == scratch / "td-0.5-2");
}

TEST_CASE("a listing that fails, and a file that cannot be inspected, is an error") {
    const testing::Scratch scratch;
    for (const char* name : {"a.csv", "b.csv"}) testing::spit(scratch / name, "");
    fs::create_directory(scratch / "c.csv");
    CHECK(files_in(scratch.path()) == std::vector<fs::path>{scratch / "a.csv", scratch / "b.csv"});
    {
        const testing::NoMoreFiles none;
        CHECK_THROWS_WITH_AS(entries_in(scratch.path()), doctest::Contains("cannot be listed: the limit on open files"),
                             IoError);
        CHECK_THROWS_AS(files_in(scratch.path()), IoError);
    }
    testing::spit(scratch / "two\nlines.csv", "");
    CHECK_THROWS_WITH_AS(files_in(scratch.path()), doctest::Contains("two\\nlines.csv' has a line break"), IoError);
    fs::remove(scratch / "two\nlines.csv");
    CHECK_THROWS_WITH_AS(read_file(scratch / "two\nlines.csv", 9), doctest::Contains("two\\nlines.csv: cannot be read"),
                         InputError);
    fs::create_symlink("gone", scratch / "d.csv");
    CHECK_THROWS_WITH_AS(files_in(scratch.path()), doctest::Contains("d.csv: is a link to gone, which does not exist"),
                         IoError);
    fs::create_symlink("loop", scratch / "loop");
    CHECK_THROWS_WITH_AS(kind_of_file(scratch / "loop"), doctest::Contains("loop: cannot be inspected"), IoError);
    CHECK(kind_of_file(scratch / "nothing") == fs::file_type::not_found);
    CHECK(kind_of_file(scratch / "a.csv/x") == fs::file_type::not_found);
    CHECK(kind_of_file(scratch / std::string(5000, 'x')) == fs::file_type::not_found);
}

TEST_CASE("the home folder stands for ~ at a word's beginning and behind an option's sign") {
    const auto home = home_folder();
    if (!home) return;
    CHECK(with_home_folder("--out=~/x") == "--out=" + home->string() + "/x");
    CHECK(with_home_folder("weights=~") == "weights=" + home->string());
    CHECK(with_home_folder("~") == home->string());
    CHECK(with_home_folder("~/x=~/y") == home->string() + "/x=~/y");
    for (const char* word : {"--out=~other/x", "--out=a~/x", "~x", "a=b=~c", "--quantity=1~2"})
        CHECK(with_home_folder(word) == word);
}

namespace emergence::folder_lock_test {

TEST_CASE("a folder is one's own until it is let go") {
    const testing::Scratch scratch;
    std::optional<FolderLock> mine = FolderLock::take(scratch.path());
    REQUIRE(mine);
    CHECK_FALSE(FolderLock::take(scratch.path()));
    std::optional<FolderLock> moved = std::move(mine);
    mine.reset();
    CHECK_FALSE(FolderLock::take(scratch.path()));
    moved.reset();
    CHECK(FolderLock::take(scratch.path()));
    CHECK_FALSE(FolderLock::take(scratch / "nowhere"));
}

TEST_CASE("a lock knows where its folder has gone") {
    const testing::Scratch scratch;
    std::filesystem::create_directory(scratch / "run");
    const auto mine = FolderLock::take(scratch / "run");
    REQUIRE(mine);
    CHECK(mine->place() == std::filesystem::canonical(scratch / "run"));
    std::filesystem::rename(scratch / "run", scratch / "renamed");
    CHECK_FALSE(mine->holds(scratch / "run"));
    CHECK(mine->place() == std::filesystem::canonical(scratch / "renamed"));
    std::filesystem::remove(scratch / "renamed");
    CHECK_FALSE(mine->holds(scratch / "renamed"));
    CHECK_FALSE(mine->place());
}

TEST_CASE("a call that a signal interrupts is made again; without the system's locks a folder is anybody's") {
    const testing::Scratch scratch;
    const auto mine = FolderLock::take(scratch.path());
    REQUIRE(mine);
    {
        const testing::FailingCalls interrupted(testing::SystemCall::flock, 1, EINTR);
        CHECK_FALSE(FolderLock::take(scratch.path()));
    }
    const testing::FailingCalls none(testing::SystemCall::flock, 1, EOPNOTSUPP, true);
    CHECK(FolderLock::take(scratch.path()));
}

}  // namespace emergence::folder_lock_test

namespace {

// As if everything had been written some time ago.
void settle(const Scratch& scratch) {
    std::vector<std::filesystem::path> paths = all_entries_in(scratch.path());
    paths.push_back(scratch.path());
    const auto now = std::filesystem::file_time_type::clock::now();
    for (const auto& path : paths)
        if (std::filesystem::last_write_time(path) > now - std::chrono::seconds(30))
            std::filesystem::last_write_time(path, now - std::chrono::minutes(1));
}

}  // namespace

TEST_CASE("an edit of the same size at the same time is seen") {
    const Scratch scratch;
    const std::filesystem::path file = scratch / "a";
    ReadOnce<std::string> known;
    for (int i = 0; i < 200; ++i) {
        const std::string text = std::to_string(1000 + i);
        {
            std::ofstream(file) << text;  // in place: the same file
        }
        CHECK(known.get({file}, [&] { return slurp(file); }) == text);
    }
    settle(scratch);
    CHECK(known.get({file}, [&] { return slurp(file); }) == "1199");
}

TEST_CASE("what was read is kept until a file of the folder changes, comes or goes") {
    const Scratch scratch;
    spit(scratch / "a", "1");
    settle(scratch);
    ReadOnce<int> known;
    int times = 0;
    const auto get = [&] {
        settle(scratch);
        return known.get({scratch.path()}, [&] { return ++times; });
    };
    CHECK(get() == 1);
    CHECK(get() == 1);
    spit(scratch / "a", "12");
    CHECK(get() == 2);
    spit(scratch / "b", "");
    CHECK(get() == 3);
    std::filesystem::remove(scratch / "a");
    CHECK(get() == 4);
    CHECK(get() == 4);
    const std::filesystem::path other = scratch / "none";
    CHECK_THROWS_WITH_AS(known.get({other}, []() -> int { throw std::runtime_error("no"); }), doctest::Contains("no"),
                         std::runtime_error);
    CHECK(known.get({other}, [] { return 7; }) == 7);
    CHECK(get() == 4);
}

namespace {

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
          "unknown preset '../presets/td'. Known: td, wang-2");
    CHECK_THROWS_WITH_AS(preset_names(scratch / "none"), doctest::Contains("none/presets: cannot be listed"), IoError);
}

}  // namespace

TEST_CASE("a memo keeps what it made of the two keys asked for last") {
    Memo<std::string, int> memo;
    int made = 0;
    const auto get = [&](const std::string& key) {
        return *memo.get(key, [&] { return std::make_shared<int>(++made); });
    };
    CHECK(get("stands") == 1);
    CHECK(get("looked at") == 2);
    CHECK(get("stands") == 1);
    CHECK(get("looked at") == 2);
    CHECK(get("stands") == 1);
    CHECK(get("another") == 3);  // in place of the one that was not asked for since
    CHECK(get("stands") == 1);
    CHECK(get("looked at") == 4);
}

TEST_CASE("a memo keeps that there is nothing, but nothing of what was refused") {
    Memo<int, int> memo;
    CHECK(memo.get(1, []() -> std::shared_ptr<int> { return nullptr; }) == nullptr);
    CHECK(memo.get(1, [] { return std::make_shared<int>(5); }) == nullptr);
    CHECK_THROWS_WITH_AS(memo.get(2, []() -> std::shared_ptr<int> { throw std::runtime_error("gone"); }), "gone",
                         std::runtime_error);
    CHECK(*memo.get(2, [] { return std::make_shared<int>(6); }) == 6);
}
