// Files of strangers that declare much: the real program answers with 1 GiB of memory and 5 s of processor time.

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "tests/support/packed_archive.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

TEST_SUITE_BEGIN("release");

namespace emergence::testing {
namespace {

namespace fs = std::filesystem;

struct BoundedAnswer {
    int code = 0;
    std::string said;
};

// A sanitized program reserves more addresses than any limit leaves.
bool is_sanitized() { return std::getenv("EMERGENCE_CLI") != nullptr; }

BoundedAnswer ask(const Scratch& scratch, const std::string& arguments) {
    // Of a hard limit of 10 s the program keeps 5 to save: at 5 s it ends with another code.
    const std::string limits = is_sanitized() ? "true" : "ulimit -v 1048576 && ulimit -t 10";
    const int status = std::system(fmt::format("cd '{}' && {} && '{}' {} >said 2>&1 </dev/null",
                                               scratch.path().string(), limits, cli_program(), arguments)
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(scratch / "said")};
}

void check_answers(const BoundedAnswer& answer) {
    CAPTURE(answer.said);
    CHECK(answer.code <= 3);
    for (const char* internal : {"vector::", "map::", "bad_alloc", "basic_string", "std::", "length_error"})
        CHECK_FALSE(holds(answer.said, internal));
}

// A run's folder with two seeds at step 20.
void train_run(const Scratch& scratch) {
    const BoundedAnswer answer =
        ask(scratch, "run td --set n=5 num_layers=1 num_mrps=20 log_interval=10 bank_size=20 --seeds 2 --out r");
    REQUIRE_MESSAGE(answer.code == 0, answer.said);
}

std::string zeros(size_t count) { return std::string(count, '\0'); }

PackedFile packed_zeros(const std::string& name, const std::string& type, size_t count, size_t bytes) {
    PackedFile file{name, npy_text(npy_header_of(type, fmt::format("({},)", count)), zeros(bytes))};
    file.deflated = true;
    return file;
}

const char* const kSettings = "experiment = \"td\"\n\n[settings]\nnum_mrps = 20\nseeds = 2\nbank_size = 20\n";

}  // namespace

TEST_CASE("a stranger's run answers within bounds") {
    const Scratch scratch;
    train_run(scratch);
    const ArrayMap checkpoint = read_npz(scratch / "r/checkpoint.npz"), moments = read_npz(scratch / "r/moments.npz");
    const auto with_checkpoint = [&](ArrayMap arrays) {
        seal_checkpoint(arrays);
        for (const char* name : {kCheckpointFile, kOlderCheckpointFile}) write_npz(scratch / "r" / name, arrays);
        for (const char* command : {"describe r", "resume r"}) {
            const BoundedAnswer answer = ask(scratch, command);
            check_answers(answer);
            CHECK(answer.code != 0);
        }
    };
    ArrayMap arrays = checkpoint;
    std::vector<int64_t> steps(200'000);
    for (size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<int64_t>(steps.size() - i);
    arrays["steps"] = {{steps.size()}, steps};
    for (int m = 0; arrays.contains(fmt::format("rows/{}", m)); ++m)
        arrays[fmt::format("rows/{}", m)] = {{2 * steps.size()}, std::vector<double>(2 * steps.size())};
    with_checkpoint(arrays);
    arrays = checkpoint;
    arrays["seeds"] = {{1}, std::vector<uint64_t>{std::numeric_limits<uint64_t>::max()}};
    with_checkpoint(arrays);
    arrays = checkpoint;
    arrays["seed 0/progress"].values = std::vector<int64_t>{std::numeric_limits<int64_t>::max(), 0, 0};
    with_checkpoint(arrays);

    for (const char* name : {kCheckpointFile, kOlderCheckpointFile}) write_npz(scratch / "r" / name, checkpoint);
    arrays = moments;
    arrays["steps"].values = std::vector<int64_t>{0, 10, std::numeric_limits<int64_t>::max() - 3};
    write_npz(scratch / "r/moments.npz", arrays);
    check_answers(ask(scratch, "describe r"));
    check_answers(ask(scratch, "resume r"));
}

TEST_CASE("a stranger's archive that unpacks to much answers within bounds") {
    if (is_sanitized()) return;  // a gigabyte, which takes minutes there
    const Scratch scratch;
    train_run(scratch);
    PackedFile settings{"emergence-config.npy", std::string(as_text(npy_bytes(codes_of<int64_t>(kSettings))))};
    const PackedFile bomb = packed_zeros("P.npy", "'|u1'", 200'000'000, 200'000'000);
    write_file(scratch / "f.npz", packed_archive({settings, bomb}));
    CHECK(fs::file_size(scratch / "f.npz") < 300'000);
    check_answers(ask(scratch, "run f.npz --out f"));
    check_answers(ask(scratch, "run td --set n=5 num_layers=1 num_mrps=20 --seeds 1 --weights f.npz --out w"));
    // The largest that is read: every byte is unpacked and checked before it turns out to be no checkpoint.
    const size_t count = 60'000'000;
    write_file(scratch / "r/checkpoint.npz",
               packed_archive({settings, packed_zeros("x.npy", "'<f4'", count, 4 * count)}));
    check_answers(ask(scratch, "describe r"));
    check_answers(ask(scratch, "resume r"));
}

TEST_CASE("a stranger's pictures, tensors and tables answer within bounds") {
    const Scratch scratch;
    const auto big = [](uint64_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
        return bytes;
    };
    const std::string chunk = "iTXtemergence-config" + std::string("\0\1\0\0\0", 5) + deflated_text(zeros(100'000'000));
    spit(scratch / "bomb.png", "\x89PNG\r\n\x1A\n" + big(chunk.size() - 4) + chunk + big(checksum_of_text(chunk)));
    check_answers(ask(scratch, "run bomb.png --out b"));

    std::string pdf = "%PDF-1.5\n";
    for (int i = 0; i < 40; ++i) pdf += fmt::format("/Keywords {} 0 R /ObjStm stream\n", i);
    std::string objects;
    for (int i = 0; i < 8; ++i) objects += fmt::format("/Keywords {} 0 R ", i);
    for (int i = 0; i < 8; ++i) pdf += "/ObjStm stream\n" + deflated_text(objects) + "\n";
    spit(scratch / "slow.pdf", pdf.substr(0, 9) + std::string(60'000'000, '\n') + pdf);
    check_answers(ask(scratch, "run slow.pdf --out s"));

    std::string header = "{";
    while (header.size() < 1'000'000) header += fmt::format("{}\"{}\":0", header.size() > 1 ? "," : "", header.size());
    std::vector<std::byte> tensors;
    append_little<uint64_t>(tensors, header.size() + 1);
    for (const char c : header + "}") tensors.push_back(static_cast<std::byte>(c));
    write_file(scratch / "t.safetensors", tensors);
    check_answers(ask(scratch, "run td --set n=5 num_mrps=20 --seeds 1 --weights t.safetensors --out w"));
}

}  // namespace emergence::testing

TEST_SUITE_END();
