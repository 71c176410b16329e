#include "core/files/folder_lock.h"

#include <doctest/doctest.h>

#include "tests/support/scratch.h"

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

TEST_CASE("a folder is taken over with its files, and its former owner notices") {
    const testing::Scratch scratch;
    const std::filesystem::path folder = scratch / "run";
    std::filesystem::create_directory(folder);
    testing::spit(folder / "checkpoint.npz", "state");
    const auto stopped = FolderLock::take(folder);
    REQUIRE(stopped);
    CHECK(stopped->holds(folder));
    const auto mine = FolderLock::take_over(folder);
    REQUIRE(mine);
    CHECK(mine->holds(folder));
    CHECK_FALSE(stopped->holds(folder));
    CHECK_FALSE(FolderLock::take(folder));
    CHECK(testing::slurp(folder / "checkpoint.npz") == "state");
    size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
        entries += entry.exists() ? 1 : 0;
    CHECK(entries == 1);
}

}  // namespace emergence::folder_lock_test
