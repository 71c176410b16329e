// How a process ends: signals and limits, tried on the real program.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>

#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/lab/store/checkpoint.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/shell.h"

TEST_SUITE_BEGIN("release");

namespace emergence {
namespace {

using namespace testing;

struct ProcessEnd {
    int code = 0;
    std::string out, err;
};

// What a shell reports of a script in which "$cli" is the program.
ProcessEnd end_of_script(const Scratch& scratch, const std::string& script) {
    spit(scratch / "script", script);
    const std::string command = fmt::format("cd {} && cli={} sh ./script >out 2>err </dev/null",
                                            shell_path(scratch.path().string()), shell_path(testing::cli_program()));
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(scratch / "out"), slurp(scratch / "err")};
}

// A run of minutes; `to_end` is the script that ends it once it says begun.
ProcessEnd run_ended_by(const Scratch& scratch, const std::string& before, const std::string& to_end) {
    return end_of_script(
        scratch,
        before +
            "\nenv --default-signal=INT,QUIT \"$cli\" run td --set num_mrps=1000000 log_interval=100 "
            "bank_size=100 --seeds 1 --threads 1 --autosave 0 --out 'my run' &\n"
            "run=$!\ntries=1200\n"  // two minutes, for a machine that has much to do
            "until [ \"$(grep -c . 'my run/metrics.csv' 2>/dev/null)\" -gt 3 ]; do\n"
            "  sleep 0.1; tries=$((tries - 1)); [ $tries -gt 0 ] || { kill -KILL $run; exit 99; }\ndone\n" +
            to_end + "\nwait $run");
}

int64_t step_saved_in(const Scratch& scratch) {
    return find_checkpoint(scratch / "my run").checkpoint.settings.step.value_or(-1);
}

constexpr const char* kRunOfSeconds =
    "\"$cli\" run td --set num_mrps=200 bank_size=100 --seeds 1 --threads 1 --out run";

}  // namespace

TEST_CASE("a signal ends a run in order: saved, resumable, with the code that shells report") {
    for (const auto& [signal, code] :
         {std::pair("HUP", 129), std::pair("INT", 130), std::pair("QUIT", 131), std::pair("USR1", 138),
          std::pair("TERM", 143), std::pair("VTALRM", 154), std::pair("RTMIN", 162)}) {
        CAPTURE(signal);
        const Scratch scratch;
        const ProcessEnd end = run_ended_by(scratch, "", fmt::format("kill -{} $run", signal));
        CHECK(end.code == code);
        CHECK(step_saved_in(scratch) > 0);
        CHECK(holds(end.err, fmt::format("emergence-cli: stopped. Step {} of 1000000 MRPs is saved. Resume with: "
                                         "emergence-cli resume 'my run'\n",
                                         step_saved_in(scratch))));
    }
}

TEST_CASE("a step that takes minutes keeps no command from ending: what was there before it is saved") {
    const Scratch scratch;
    const ProcessEnd end =
        end_of_script(scratch,
                      "\"$cli\" run td --set n=480 d=16 minibatch_size=1024 minibatches_per_mrp=64 bank_size=16 "
                      "--seeds 16 --threads 1 --out 'my run' &\n"
                      "run=$!\nuntil [ -e 'my run/metrics.csv' ]; do sleep 0.1; done\n"
                      "sleep 0.5; kill -TERM $run\n{ sleep 20; kill -KILL $run; } 2>/dev/null & late=$!\n"
                      "code=0; wait $run || code=$?; kill $late; exit $code");
    CHECK(end.code == 143);
    CHECK(step_saved_in(scratch) >= 0);
    CHECK(holds(end.err, fmt::format("emergence-cli: stopped. Step {} of 4000 MRPs is saved. Resume with: ",
                                     step_saved_in(scratch))));
}

TEST_CASE("a signal that was ignored at the start stays ignored") {
    const Scratch scratch;
    const ProcessEnd end = run_ended_by(scratch, "trap '' HUP TERM",
                                        "kill -HUP $run; kill -TERM $run; sleep 1.5; kill -0 $run && kill -INT $run");
    CHECK(end.code == 130);
    CHECK(step_saved_in(scratch) > 0);
}

TEST_CASE("warnings of a batch system, however many, let the run save") {
    const Scratch scratch;
    const ProcessEnd end = run_ended_by(
        scratch, "", "for signal in USR1 USR1 XCPU USR2 ALRM TERM; do kill -$signal $run; sleep 0.01; done");
    CHECK(end.code == 138);
    CHECK(step_saved_in(scratch) > 0);
}

TEST_CASE("one signal twice at once, as timeout sends it, is one") {
    const Scratch scratch;
    CHECK(run_ended_by(scratch, "", "kill -TERM $run $run").code == 143);
    CHECK(step_saved_in(scratch) > 0);
}

TEST_CASE("a limit of the shell is named, with what is saved and how to go on") {
    const Scratch scratch;
    ProcessEnd end =
        end_of_script(scratch, fmt::format("ulimit -f 8\n{}", kRunOfSeconds));  // dash counts blocks of 512 bytes
    CHECK(end.code == 1);
    CHECK(holds(end.err, "the limit on the size of a file is 4 KiB (ulimit -f)"));

    const Scratch files;
    end = end_of_script(files, fmt::format("exec 3<&-  # as inherited\nulimit -n 4\n{}", kRunOfSeconds));
    CHECK(end.code == 1);
    CHECK(holds(end.err, "the limit on open files is reached: 4 (ulimit -n)"));

    const Scratch memory;
    end = end_of_script(memory,
                        "ulimit -v 60000\n\"$cli\" run td --set d=12 num_states=40 bank_size=20000 --seeds 50 "
                        "--threads 2 --out run");
    CHECK(end.code == 1);
    CHECK(holds(end.err, "(ulimit -v)"));

    const Scratch full;
    end = end_of_script(full, "exec \"$cli\" list >/dev/full");
    CHECK(end.code == 1);
    CHECK(holds(end.err, "standard output: could not be written"));
}

TEST_CASE("the limit on CPU time leaves time to save") {
    const Scratch scratch;
    const ProcessEnd end = run_ended_by(scratch, "ulimit -t 4", "");
    CHECK(end.code == 152);
    CHECK(step_saved_in(scratch) > 0);
    CHECK(holds(end.err, "4 s, has nearly run out (ulimit -t)"));
}

TEST_CASE("fewer threads than were asked for train, and that is said") {
    const Scratch scratch;
    // The stacks of 64 threads need more than this.
    const ProcessEnd end = end_of_script(scratch,
                                         "ulimit -v 400000\n\"$cli\" run td --set num_mrps=200 bank_size=100 --seeds 2 "
                                         "--threads 64 --out run");
    CHECK(end.code == 0);
    CHECK(holds(end.err, " of 64 threads were started"));
}

}  // namespace emergence

TEST_SUITE_END();
