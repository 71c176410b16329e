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

}  // namespace emergence::folder_lock_test
