#include "core/experiments/in_context_td/published/published_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/zip.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::published_run_test {
namespace {

namespace fs = std::filesystem;
using testing::data_file;
using testing::message_of;
using testing::Scratch;
using testing::slurp;
using testing::spit;

fs::path sample_folder() { return data_file("wang_code_run"); }

// A run of two layers of their own, two logged points.
PublishedRun small_run() {
    PublishedRun run;
    run.params.d = 1;
    run.params.l = 2;
    run.params.mode = "sequential";
    run.steps = {10, 20};
    run.alpha = {1.0, 1.5};
    for (int i = 0; i < 36; ++i) {
        run.P.push_back(0.25F * static_cast<float>(i));
        run.Q.push_back(-run.P.back());
    }
    run.value_difference = {0.5, 0.25};
    return run;
}

// A folder of the sample's settings with these data.
struct Folder {
    Scratch scratch;
    explicit Folder(const PublishedRun& run = small_run()) { write_published_run(scratch.path(), run); }
    void put(std::string_view data) const { spit(scratch / kPublishedData, std::string(data)); }
    void put(const ArrayMap& arrays) const { write_npz(scratch / kPublishedData, arrays); }
    std::string refusal() const {
        const std::string message = message_of<InputError>([this] { read_published_run(scratch.path()); });
        const std::string folder = scratch.path().string() + "/";
        return message.starts_with(folder) ? message.substr(folder.size()) : message;
    }
    // With one array put in another's place.
    std::string refusal_with(const std::string& name, const Array& array) const {
        ArrayMap arrays = published_arrays(small_run());
        arrays[name] = array;
        put(arrays);
        return refusal();
    }
};

}  // namespace

TEST_CASE("a run of the published code is read as it stands") {
    const PublishedRun run = read_published_run(sample_folder());
    CHECK(run.params.random_seed == 3);
    REQUIRE(run.steps.size() == 40);
    CHECK(run.steps.front() == 10);
    CHECK(run.steps.back() == 400);
    CHECK(run.matrix_size() == 81);
    CHECK(run.P.size() == 40 * 81);
    CHECK(run.P[0] == -0.01731180027127266F);
    CHECK(run.alpha[1] == 1.052866816520691);
    CHECK(run.implicit_weight.back() == 0.9441384769675292);
}

TEST_CASE("what is written has that code's names, shapes and types, and reads back") {
    const Scratch scratch;
    const PublishedRun sample = read_published_run(sample_folder());
    CHECK(published_arrays(sample) == read_npz(sample_folder() / kPublishedData));
    write_published_run(scratch / "one", sample);
    CHECK(read_published_run(scratch / "one") == sample);
    write_published_run(scratch / "two", small_run());
    CHECK(read_published_run(scratch / "two") == small_run());
    CHECK(read_npz(scratch / "two/data.npz").at("P").shape == std::vector<size_t>{2, 2, 3, 3});
    CHECK_FALSE(read_npz(scratch / "two/data.npz").contains("implicit_weight_sim"));
}

TEST_CASE("arrays that are missing, of another shape or type are named") {
    const Folder folder;
    CHECK(folder.refusal() == "");
    ArrayMap arrays = published_arrays(small_run());
    arrays.erase("Q");
    folder.put(arrays);
    CHECK(folder.refusal() == "data.npz: array 'Q' is missing");
    CHECK(folder.refusal_with("P", {{2, 1, 3, 3}, std::vector<float>(18)}) ==
          "data.npz: array 'P' is 2 x 1 x 3 x 3 instead of 2 x 2 x 3 x 3");
    CHECK(folder.refusal_with("P", {{2, 2, 3, 3}, std::vector<int64_t>(36)}) ==
          "data.npz: array 'P' holds whole numbers instead of floats");
    CHECK(folder.refusal_with("alpha", {{}, std::vector<double>(1)}) ==
          "data.npz: array 'alpha' is a single number instead of 2");
    CHECK(folder.refusal_with("v_tf v_td msve", {{3}, std::vector<double>(3)}).find("is 3 instead of 2") !=
          std::string::npos);
    CHECK(folder.refusal_with("xs", {{2}, std::vector<double>{10, 20}}).find("no list of whole numbers") !=
          std::string::npos);
    CHECK(folder.refusal_with("xs", {{0}, std::vector<int64_t>{}}).find("no list of whole numbers") !=
          std::string::npos);
    for (const std::vector<int64_t>& steps : {std::vector<int64_t>{20, 20}, {20, 10}, {-10, 20}})
        CHECK(folder.refusal_with("xs", {{2}, steps}) == "data.npz: array 'xs' does not ascend from 0 on");
}

TEST_CASE("archives that are cut or none, and sizes and seeds that cannot be, are refused with the file") {
    const Folder folder;
    const std::string sound = slurp(folder.scratch / kPublishedData);
    for (size_t size = 0; size < sound.size(); size += 97) {
        folder.put(sound.substr(0, size));
        CHECK(folder.refusal().starts_with("data.npz: "));
    }
    folder.put("PK\3\4 no archive at all");
    CHECK(folder.refusal().find("not a readable archive") != std::string::npos);
    spit(folder.scratch / kPublishedParams, "{\"d\": 100000000, \"s\": 1, \"n\": 1, \"l\": 1}");
    CHECK(folder.refusal() == "params.json: d and l: 100000000 is not from 1 to 1000");
    spit(folder.scratch / kPublishedParams, "{\"d\": 4, \"s\": 1, \"n\": 1, \"l\": 1, \"random_seed\": -1}");
    CHECK(folder.refusal().find("random_seed: -1 is negative") != std::string::npos);
}

TEST_CASE("a folder of runs is all of them, by name, when they differ in the seed alone") {
    const Scratch scratch;
    PublishedRun run = small_run();
    run.params.random_seed = 7;
    write_published_run(scratch / "b", run);
    run.params.random_seed = 5;
    write_published_run(scratch / "a", run);
    fs::create_directories(scratch / "none");
    const auto folders = published_run_folders(scratch.path());
    REQUIRE(folders.size() == 2);
    CHECK(folders[0].filename() == "a");
    CHECK(published_run_folders(scratch / "a/data.npz") == std::vector<fs::path>{scratch / "a"});
    CHECK(published_run_folders(scratch / "a/params.json") == std::vector<fs::path>{scratch / "a"});
    CHECK(published_run_folders(scratch / "none").empty());
    CHECK(published_run_folders(scratch / "nowhere").empty());
    CHECK(published_run_folders("").empty());

    const SettingsFile file = settings_that_made(scratch.path());
    CHECK(file.experiment == "td");
    const auto value = [&file](const std::string& name) {
        for (const auto& entry : file.entries)
            if (entry.name == name) return to_text(entry.value);
        return std::string();
    };
    CHECK(value("seeds") == "2");
    CHECK(value("seed") == "5");
    CHECK(value("sequential") == "true");
    CHECK(value("replay") == scratch.path().string());

    run.params.gamma = 0.5;
    write_published_run(scratch / "c", run);
    CHECK(message_of<InputError>([&] { published_settings(scratch.path()); }).find("in more than the seed") !=
          std::string::npos);
    CHECK(message_of<InputError>([&] {
              published_settings(scratch / "none");
          }).find("no run of the published code. Name a folder with data.npz and params.json") != std::string::npos);
}

}  // namespace emergence::published_run_test
