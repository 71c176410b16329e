#include "core/files/folders.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "tests/support/no_more_files.h"
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

TEST_CASE("a listing that fails, and a file that cannot be looked at, is an error") {
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
    CHECK_THROWS_WITH_AS(files_in(scratch.path()), doctest::Contains("d.csv: is a link to gone, which is not there"),
                         IoError);
    fs::create_symlink("loop", scratch / "loop");
    CHECK_THROWS_WITH_AS(kind_of_file(scratch / "loop"), doctest::Contains("loop: cannot be looked at"), IoError);
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
