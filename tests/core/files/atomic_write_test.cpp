#include "core/files/atomic_write.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>

#include "core/base/error.h"
#include "tests/support/failing_calls.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using namespace testing;

TEST_CASE("a file is written whole and nothing else stays behind") {
    const Scratch scratch;
    const std::string text(700'000, 'x');
    write_file(scratch / "a", text);
    CHECK(slurp(scratch / "a") == text);
    write_file(scratch / "a", "new");
    CHECK(slurp(scratch / "a") == "new");
    CHECK(as_text(read_file(scratch / "a", 3)) == "new");
    CHECK(count_entries(scratch.path()) == 1);
}

TEST_CASE("without commit the old file stays") {
    const Scratch scratch;
    spit(scratch / "a", "old");
    {
        AtomicFile file(scratch / "a");
        file.write("half of the n");
        CHECK(slurp(scratch / "a") == "old");
    }
    CHECK(slurp(scratch / "a") == "old");
    CHECK(count_entries(scratch.path()) == 1);
}

TEST_CASE("a disk that is full leaves the old file and says so") {
    const Scratch scratch;
    spit(scratch / "a", "old");
    // A limit on the size of files fails a write as a full disk does.
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 1000;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const std::string message = message_of<IoError>([&] { write_file(scratch / "a", std::string(700'000, 'x')); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(message.find((scratch / "a").string() + ": could not be written: ") == 0);
    CHECK(slurp(scratch / "a") == "old");
    CHECK(count_entries(scratch.path()) == 1);
}

TEST_CASE("a missing folder, a folder in the way and a device are refused by name") {
    const Scratch scratch;
    CHECK(message_of<IoError>([&] { write_file(scratch / "no/a", "x"); }) ==
          (scratch / "no/a").string() + ": cannot be written: No such file or directory");
    CHECK(holds(message_of<IoError>([&] { write_file(scratch.path(), "x"); }), "not a regular file"));
    CHECK_THROWS_WITH_AS(write_file("/dev/null", std::string_view("x")),
                         doctest::Contains("/dev/null: cannot be written: it exists and is not a regular file"),
                         IoError);
    CHECK_THROWS_WITH_AS(write_file("", std::string_view("x")), doctest::Contains("could not be put in place"),
                         IoError);
}

TEST_CASE("nothing is written through a link, whatever it leads to") {
    const Scratch scratch;
    spit(scratch / "real", "old");
    std::filesystem::create_directory(scratch / "folder");
    for (const char* to : {"real", "nowhere", "folder", "/dev/null", "link"}) {
        std::filesystem::create_symlink(to, scratch / "link");
        const std::string message = message_of<IoError>([&] { write_file(scratch / "link", "new"); });
        CHECK(message == (scratch / "link").string() + ": is a link to " + to +
                             "; files are never written through links. Remove the link");
        CHECK(std::filesystem::is_symlink(scratch / "link"));
        std::filesystem::remove(scratch / "link");
    }
    CHECK(slurp(scratch / "real") == "old");
    CHECK(count_entries(scratch.path()) == 2);
    // Another name of the same file is not written through, either.
    std::filesystem::create_hard_link(scratch / "real", scratch / "name");
    write_file(scratch / "name", "new");
    CHECK(slurp(scratch / "real") == "old");
}

TEST_CASE("a link that the user has made stays one, and permissions stay, but for those of another user") {
    const Scratch scratch;
    spit(scratch / "real", "old");
    ::chmod((scratch / "real").c_str(), 04640);
    std::filesystem::create_symlink("real", scratch / "link");
    write_file(scratch / "link", "new", Links::follow);
    CHECK(std::filesystem::is_symlink(scratch / "link"));
    CHECK(slurp(scratch / "real") == "new");
    struct stat status {};
    REQUIRE(::stat((scratch / "real").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("the bytes are on the disk before the file has its name, and so is the name") {
    const Scratch scratch;
    const testing::CallOrder order;
    write_file(scratch / "a", "bytes");
    CHECK(std::string(order.text()) == "srs");  // the file, its name, the folder
}

TEST_CASE("whatever call fails, the old file stays whole and the error names it") {
    const Scratch scratch;
    const std::string text(700'000, 'x');
    for (const testing::SystemCall call : testing::kFileCalls) {
        if (call == testing::SystemCall::mkdir) continue;
        for (size_t k = 1;; ++k) {
            spit(scratch / "a", "old");
            std::string message;
            bool failed = false;
            {
                const testing::FailingCalls fault(call, k, EIO);
                message = message_of<IoError>([&] { write_file(scratch / "a", text); });
                failed = fault.failed();
            }
            INFO(static_cast<int>(call), ", ", k);
            const std::string now = slurp(scratch / "a");
            CHECK((now == "old" || now == text));
            CHECK(count_entries(scratch.path()) == 1);
            if (!failed) break;
            // Closing has nothing to tell after fsync.
            if (call != testing::SystemCall::close) CHECK(message.starts_with((scratch / "a").string() + ": "));
        }
    }
}

TEST_CASE("unfinished files of ended programs are removed, others stay") {
    const Scratch scratch;
    spit(scratch / ".emergence-1-0.tmp", "left");
    spit(scratch / ".emergence-notes", "");
    spit(scratch / "notes.tmp", "mine");
    spit(scratch / "real", "mine");
    std::filesystem::create_symlink("real", scratch / ".emergence-2-0.tmp");
    std::filesystem::create_directory(scratch / ".emergence-3-0.tmp");
    AtomicFile living(scratch / "a");
    living.write("whole");
    remove_unfinished_files(scratch.path());
    CHECK_FALSE(std::filesystem::exists(scratch / ".emergence-1-0.tmp"));
    CHECK(count_entries(scratch.path()) == 6);
    living.commit();
    CHECK(slurp(scratch / "a") == "whole");
    CHECK(slurp(scratch / "real") == "mine");
    remove_unfinished_files(scratch / "nowhere");
}

TEST_CASE("a file to read is refused by name where it is missing, no file or too large") {
    const Scratch scratch;
    CHECK(message_of<InputError>([&] { read_file(scratch / "a", 10); }) ==
          (scratch / "a").string() + ": cannot be read: No such file or directory");
    CHECK_THROWS_WITH_AS(read_file(scratch.path(), 10), doctest::Contains("cannot be read: not a regular file"),
                         InputError);
    CHECK_THROWS_WITH_AS(read_file("/dev/zero", 10), doctest::Contains("/dev/zero: cannot be read: not a regular file"),
                         InputError);
    spit(scratch / "a", "12345678901");
    CHECK(message_of<InputError>([&] { read_file(scratch / "a", 10); }) ==
          (scratch / "a").string() + ": has 11 bytes, more than the limit of 10");
}

}  // namespace
}  // namespace emergence
