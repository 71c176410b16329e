#include "core/lab/store/links_out.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence::links_out_test {
namespace {

namespace fs = std::filesystem;
using testing::message_of;
using testing::Scratch;
using testing::spit;

}  // namespace

TEST_CASE("a link out of a folder is refused wherever Emergence looks, one inside is not") {
    const Scratch scratch;
    const fs::path run = scratch / "run";
    for (const char* folder : {"run/inputs/replay/seed_1", "run/jobs", "run/owners", "run/weights",
                               "run/.git", "run/notes", "run/wang-2"})
        fs::create_directories(scratch / folder);
    spit(run / "wang-2/config.toml", "");
    spit(scratch / "secret", "mine");
    refuse_links_out(run);
    refuse_links_out(scratch / "nowhere");
    fs::create_symlink(run, scratch / "link");
    refuse_links_out(scratch / "link");
    for (const fs::path& place :
         {fs::path("config.toml"), fs::path("metrics.csv"), fs::path("open"), fs::path("jobs/1.npz"),
          fs::path("owners/x"), fs::path("weights/x"), fs::path("inputs/replay/seed_1/data.npz"),
          fs::path("wang-2/config"), fs::path("sub")})
        for (const fs::path& to :
             {scratch / "secret", scratch / "none", scratch.path(), fs::path("/dev/zero"),
              fs::path("../../../../../../../../../../../etc/passwd"), fs::path(run.string() + "-other")}) {
            fs::create_symlink(to, run / place);
            CAPTURE(place.string());
            CAPTURE(to.string());
            CHECK(message_of<InputError>([&] { refuse_links_out(run); }).starts_with((run / place).string()));
            fs::remove(run / place);
        }
    fs::create_symlink("config.toml", run / "wang-2/same.toml");
    fs::create_symlink(run / "wang-2", run / "last");
    fs::create_symlink(scratch / "secret", run / "notes/mine");
    refuse_links_out(run);
}

TEST_CASE("a folder of links, a pipe and a loop are refused") {
    const Scratch scratch;
    const fs::path run = scratch / "run";
    fs::create_directories(run / "jobs");
    REQUIRE(::mkfifo((run / "jobs/pipe").c_str(), 0600) == 0);
    CHECK(message_of<InputError>([&] { refuse_links_out(run); }) ==
          (run / "jobs/pipe").string() + ": is neither a file nor a folder. Remove it");
    fs::remove_all(run / "jobs");
    fs::create_directory_symlink(scratch.path(), run / "jobs");
    CHECK_THROWS_WITH_AS(refuse_links_out(run), doctest::Contains("jobs: is a link that leads out"),
                         InputError);
    fs::remove(run / "jobs");
    fs::create_symlink("loop", run / "loop");
    CHECK_THROWS_WITH_AS(refuse_links_out(run), doctest::Contains("loop: is a link that leads out"),
                         InputError);
}

}  // namespace emergence::links_out_test
