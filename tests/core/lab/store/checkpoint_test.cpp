#include "core/lab/store/checkpoint.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/lab/runs/run.h"
#include "tests/support/failing_calls.h"
#include "tests/support/no_more_files.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using namespace testing;

// A toy run of four seeds, of which one stops on the way, with what it has logged.
struct Logged {
    RunOf run{toy_info(), toy_settings({"diverge_seed=1", "diverge_step=25"}), 1};
    MetricHistory history{run.study().metrics(), run.num_seeds()};

    void advance_to(int64_t step) {
        for (const MetricRow& row : run.advance_to(step)) history.append(row);
    }
    void write_to(const fs::path& folder, double seconds = 0) const {
        write_checkpoint(folder, state_of("toy", run, seconds), history);
    }
    void write_at(std::initializer_list<int64_t> steps, const fs::path& folder) {
        for (const int64_t step : steps) {
            advance_to(step);
            write_to(folder);
        }
    }
};

bool same_columns(const MetricHistory& a, const MetricHistory& b) {
    if (a.steps() != b.steps()) return false;
    for (const MetricInfo& metric : a.table())
        for (int k = 0; k < a.num_seeds(); ++k) {
            const auto &x = a.column(metric.name, k), &y = b.column(metric.name, k);
            for (size_t i = 0; i < x.size(); ++i)
                if (x[i] != y[i] && !(x[i] != x[i] && y[i] != y[i])) return false;
        }
    return true;
}

std::vector<std::byte> bytes_of(const fs::path& file) { return read_file(file, kMostArrayBytes); }

}  // namespace

TEST_CASE("a run of an earlier version, which logged fewer metrics, opens without them") {
    const Scratch folder;
    Logged saved;
    saved.write_at({20}, folder.path());
    Checkpoint checkpoint = find_checkpoint(folder.path()).checkpoint;
    REQUIRE(checkpoint.metrics.size() > 1);
    const std::string lost = checkpoint.metrics.front(), kept = checkpoint.metrics.back();
    checkpoint.metrics.erase(checkpoint.metrics.begin());
    for (MetricRow& row : checkpoint.rows) row.values.erase(row.values.begin());
    Logged opened;
    restore(checkpoint, opened.run, opened.history);
    CHECK(opened.history.column(kept, 0) == saved.history.column(kept, 0));
    for (const double value : opened.history.column(lost, 0)) CHECK(std::isnan(value));
    checkpoint.metrics.front() = "unheard of";
    CHECK(holds(message_of<InputError>([&] { restore(checkpoint, opened.run, opened.history); }), "'unheard of'"));
}

TEST_CASE("a run goes on from its folder as if it had never stopped") {
    const Scratch folder;
    Logged whole;
    whole.advance_to(100);
    for (const int64_t cut : {0, 13, 30, 99, 100}) {
        Logged first;
        first.advance_to(0);
        first.advance_to(cut);
        first.write_to(folder.path(), 2.5);
        const FoundCheckpoint found = find_checkpoint(folder.path());
        CHECK(found.notice.empty());
        CHECK(found.checkpoint.settings.experiment == "toy");
        CHECK(found.checkpoint.settings.step == cut);
        CHECK(found.checkpoint.seconds == 2.5);
        REQUIRE(found.checkpoint.emerged.size() == 4);
        for (int k = 0; k < 4; ++k)
            CHECK(found.checkpoint.emerged[static_cast<size_t>(k)] == (first.run.seed_status(k).emerged ? 1 : 0));
        Logged second;
        restore(found.checkpoint, second.run, second.history);
        CHECK(second.run.step() == cut);
        CHECK(same_columns(second.history, first.history));
        second.advance_to(100);
        CHECK(second.run.save() == whole.run.save());
        CHECK(same_columns(second.history, whole.history));
    }
}

TEST_CASE("a damaged checkpoint is refused, and the one before it used") {
    const Scratch folder;
    Logged run;
    run.write_at({10, 40}, folder.path());
    const fs::path file = folder / kCheckpointFile;
    const std::vector<std::byte> sound = bytes_of(file);
    CHECK(parse_checkpoint(bytes_of(folder / kOlderCheckpointFile), "older").settings.step == 10);

    // Cut short anywhere.
    for (size_t length = 0; length < sound.size(); length += 97)
        CHECK_THROWS_WITH_AS(parse_checkpoint({sound.data(), length}, "cut"), doctest::Contains("cut: "), InputError);
    // Any altered byte either shows or changes nothing that is read.
    const Checkpoint expected = parse_checkpoint(sound, "sound");
    size_t noticed = 0, tried = 0;
    for (size_t at = 0; at < sound.size(); at += 41, ++tried) {
        std::vector<std::byte> altered = sound;
        altered[at] ^= std::byte{0x10};
        try {
            const Checkpoint parsed = parse_checkpoint(altered, "altered");
            CHECK(parsed.seeds == expected.seeds);
            CHECK(parsed.rows.size() == expected.rows.size());
        } catch (const InputError&) {
            ++noticed;
        }
    }
    CHECK(noticed > tried / 2);

    spit(file, "no archive");
    const FoundCheckpoint found = find_checkpoint(folder.path());
    CHECK(found.checkpoint.settings.step == 10);
    CHECK(found.file == folder / kOlderCheckpointFile);
    CHECK(holds(found.notice, "checkpoint.npz"));
    CHECK(holds(found.notice, "using the previous one"));
    // A kill between both renames leaves the older one alone.
    fs::remove(file);
    CHECK(find_checkpoint(folder.path()).notice.empty());
    fs::remove(folder / kOlderCheckpointFile);
    CHECK(holds(message_of<InputError>([&] { find_checkpoint(folder.path()); }), "holds no checkpoint.npz"));
}

TEST_CASE("a checkpoint that cannot be written, at whatever call, leaves one and drops none before it is on the disk") {
    for (const testing::SystemCall call : testing::kFileCalls)
        for (size_t k = 1;; ++k) {
            const Scratch folder;
            Logged run;
            run.write_at({10, 20}, folder.path());
            run.advance_to(30);
            bool failed = false;
            {
                const testing::FailingCalls fault(call, k, ENOSPC);
                message_of<IoError>([&] { run.write_to(folder.path()); });
                failed = fault.failed();
            }
            INFO(static_cast<int>(call), ", ", k);
            const auto step = find_checkpoint(folder.path()).checkpoint.settings.step;
            CHECK((step == 20 || step == 30));
            // A full disk is noticed while the bytes are written: both are as they were.
            if (failed && call == testing::SystemCall::write) {
                const fs::path before = folder / kOlderCheckpointFile;
                CHECK(parse_checkpoint(bytes_of(before), "").settings.step == 10);
            }
            if (!failed) break;
        }
}

TEST_CASE("a last checkpoint that the disk cannot read makes room for the one before it") {
    const Scratch folder;
    Logged run;
    run.write_at({10, 20}, folder.path());
    fs::remove(folder / kCheckpointFile);
    fs::create_directory(folder / kCheckpointFile);  // read() fails
    const FoundCheckpoint found = find_checkpoint(folder.path());
    CHECK(found.checkpoint.settings.step == 10);
    CHECK(holds(found.notice, "using the previous one"));
}

TEST_CASE("a checkpoint does not depend on how long the run took") {
    const Scratch fast, slow;
    Logged run;
    run.advance_to(30);
    run.write_to(fast.path(), 0.5);
    run.write_to(slow.path(), 70.25);
    CHECK(bytes_of(fast / kCheckpointFile) == bytes_of(slow / kCheckpointFile));
    CHECK(find_checkpoint(fast.path()).checkpoint.seconds == 0.5);
    CHECK(find_checkpoint(slow.path()).checkpoint.seconds == 70.25);
    spit(slow / kTrainingTimeFile, "seconds = many\n");
    CHECK(find_checkpoint(slow.path()).checkpoint.seconds == 0.0);
}

TEST_CASE("what is no checkpoint of this version says what is wrong") {
    Logged run;
    run.advance_to(20);
    const ArrayMap sound = checkpoint_arrays(state_of("toy", run.run, 0), run.history);
    const auto refusal = [](const ArrayMap& arrays) {
        return message_of<InputError>([&] { parse_checkpoint(npz_bytes(arrays), "c.npz"); });
    };
    ArrayMap arrays = sound;
    arrays["format"].values = std::vector<uint64_t>{3};
    CHECK(refusal(arrays) ==
          "c.npz: a newer version of Emergence wrote it, in format 3; this one reads up to format 2");
    arrays = sound;
    arrays["emerged"].values = std::vector<int64_t>{2, 2, 2, 2};
    CHECK(refusal(arrays) == "c.npz: its checksum does not match: it was altered or damaged");
    arrays = sound;
    arrays.erase("format");
    CHECK(refusal(arrays) == "c.npz: is not a checkpoint: array 'format' is missing");
    arrays = sound;
    arrays["format"] = {{1}, std::vector<double>{1.0}};
    CHECK(refusal(arrays) == "c.npz: array 'format' has another type");
}

TEST_CASE("logged steps that do not ascend are refused: each would be inserted before all others") {
    Logged run;
    run.advance_to(20);
    ArrayMap arrays = checkpoint_arrays(state_of("toy", run.run, 0), run.history);
    for (const std::vector<int64_t>& steps :
         {std::vector<int64_t>{20, 10, 0}, {0, 0, 0}, {-1, 0, 1}, {0, 10, std::numeric_limits<int64_t>::max()}}) {
        arrays["steps"].values = steps;
        seal_checkpoint(arrays);
        CHECK(message_of<InputError>([&] { parse_checkpoint(npz_bytes(arrays), "c.npz"); }) ==
              "c.npz: its logged steps do not ascend from 0 to at most 9007199254740992");
    }
}

TEST_CASE("a checkpoint that cannot be read is no damaged one, and a damaged one gets another name") {
    const Scratch folder;
    Logged run;
    run.write_at({10, 20}, folder.path());
    {
        const testing::NoMoreFiles none;
        CHECK_THROWS_AS(find_checkpoint(folder.path()), IoError);
        CHECK_THROWS_AS(set_damaged_aside(folder.path()), IoError);
    }
    CHECK(set_damaged_aside(folder.path()).empty());
    CHECK(find_checkpoint(folder.path()).checkpoint.settings.step == 20);
    spit(folder / kMomentsFile, "no moments");
    spit(folder / kCheckpointFile, "torn");
    CHECK(find_checkpoint(folder.path()).checkpoint.settings.step == 10);
    const std::vector<std::string> told = set_damaged_aside(folder.path());
    REQUIRE(told.size() == 2);
    CHECK(holds(told[0], "It is kept as damaged-checkpoint.npz"));
    CHECK(holds(told[1], "It is kept as damaged-moments.npz"));
    CHECK(testing::slurp(folder / "damaged-checkpoint.npz") == "torn");
    run.write_to(folder.path());  // the sound older one is still there to be the older one
    CHECK(find_checkpoint(folder.path()).checkpoint.settings.step == 20);
}

}  // namespace emergence
