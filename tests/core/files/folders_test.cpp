#include "core/files/folders.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"

using namespace emergence;
namespace fs = std::filesystem;

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
    std::error_code failed;
    CHECK(entries_in(scratch / "none", failed).empty());
    CHECK(failed);
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
