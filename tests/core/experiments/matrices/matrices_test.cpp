#include "core/experiments/matrices/matrices.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::matrices_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;

// Two snapshots of W, 2 x 2, and of V, 1 x 3.
const std::vector<double> kW = {3, 0, 0, 4, 3, 0.1, -1, 4}, kV = {1, 2, 2, -1, 2, 2};

Array array(const std::vector<size_t>& shape, const std::vector<double>& values) { return {shape, values}; }

std::vector<double> part(const std::vector<double>& all, size_t snapshot) {
    const auto half = static_cast<std::ptrdiff_t>(all.size() / 2), from = static_cast<std::ptrdiff_t>(snapshot) * half;
    return {all.begin() + from, all.begin() + from + half};
}

// A safetensors file with W and V in float64.
void write_tensors(const fs::path& path, const std::string& shape_w, const std::string& shape_v,
                   const std::vector<double>& w, const std::vector<double>& v) {
    const auto entry = [](const std::string& name, const std::string& shape, size_t begin, size_t end) {
        return "\"" + name + "\":{\"dtype\":\"F64\",\"shape\":" + shape + ",\"data_offsets\":[" +
               std::to_string(begin) + "," + std::to_string(end) + "]}";
    };
    const size_t middle = 8 * w.size(), end = middle + 8 * v.size();
    const std::string header = "{" + entry("W", shape_w, 0, middle) + "," + entry("V", shape_v, middle, end) + "}";
    std::vector<std::byte> bytes;
    append_little<uint64_t>(bytes, header.size());
    for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
    for (const std::vector<double>* values : {&w, &v})
        for (const double value : *values) append_little(bytes, std::bit_cast<uint64_t>(value));
    write_file(path, bytes);
}

// W and V in every form that holds both, and the path of each.
std::vector<fs::path> every_form(const Scratch& scratch) {
    write_npz(scratch / "both.npz", {{"W", array({2, 2, 2}, kW)}, {"V", array({2, 1, 3}, kV)}});
    write_tensors(scratch / "both.safetensors", "[2,2,2]", "[2,1,3]", kW, kV);
    for (const char* folder : {"npz", "npy", "tensors"}) fs::create_directories(scratch / folder);
    for (const size_t i : {0, 1}) {
        const std::string number = std::to_string(9 + i);  // 10 comes after 9
        const Array w = array({2, 2}, part(kW, i)), v = array({1, 3}, part(kV, i));
        write_npz(scratch / ("npz/step-" + number + ".npz"), {{"W", w}, {"V", v}});
        write_file(scratch / ("npy/W_" + number + ".npy"), npy_bytes(w));
        write_file(scratch / ("npy/V_" + number + ".npy"), npy_bytes(v));
        write_tensors(scratch / ("tensors/" + number + ".safetensors"), "[2,2]", "[1,3]", part(kW, i), part(kV, i));
    }
    return {scratch / "both.npz", scratch / "both.safetensors", scratch / "npz", scratch / "npy", scratch / "tensors"};
}

std::string why_unreadable(const fs::path& path) {
    return message_of<InputError>([&] { read_matrices(path.string()); });
}
std::string why_unreadable(const Scratch& scratch, const ArrayMap& arrays) {
    write_npz(scratch / "a.npz", arrays);
    const std::string message = why_unreadable(scratch / "a.npz"), begin = (scratch / "a.npz").string() + ": ";
    CHECK(message.starts_with(begin));
    return message.substr(begin.size());
}

}  // namespace

TEST_CASE("every form of a sequence gives its arrays, bit for bit") {
    const Scratch scratch;
    for (const fs::path& path : every_form(scratch)) {
        CAPTURE(path);
        const auto sequence = read_matrices(path.string());
        REQUIRE(sequence->matrices.size() == 2);
        CHECK(sequence->snapshots == 2);
        CHECK(sequence->steps == (fs::is_directory(path) ? std::vector<double>{9, 10} : std::vector<double>()));
        const MatrixSequence::Matrix &v = sequence->matrices[0], &w = sequence->matrices[1];
        CHECK(v.name == "V");
        CHECK(w.name == "W");
        for (const size_t i : {0, 1}) {
            CHECK(w.at(static_cast<int64_t>(i)).values == part(kW, i));
            CHECK(v.at(static_cast<int64_t>(i)).values == part(kV, i));
        }
        CHECK(w.at(0).rows == 2);
        CHECK(v.at(0).columns == 3);
        CHECK(holds_matrices(path));
        CHECK(settings_of_file(path).experiment == "matrices");
    }
    write_file(scratch / "W.npy", npy_bytes(array({2, 2, 2}, kW)));
    CHECK(read_matrices((scratch / "W.npy").string())->matrices[0].at(1).values == part(kW, 1));
}

TEST_CASE("a run shows each snapshot, its norms and its changes") {
    const Scratch scratch;
    write_npz(scratch / "a.npz", {{"layer.0/W", array({2, 2, 2}, kW)},
                                  {"still", array({1, 1}, {7})},
                                  {"bias", array({3}, {1, 2, 3})},
                                  {"steps", array({2}, {0, 50})}});
    RunOf run("matrices", {{"file", (scratch / "a.npz").string()}});
    CHECK(run.study().target_step() == 1);
    const auto rows = run.advance_to(1);
    REQUIRE(rows.size() == 2);
    CHECK(run.study().metrics()[0].name == "norm_layer_0_W");
    CHECK(rows[0].values[0] == 5.0);  // sqrt(9 + 16)
    CHECK(std::isnan(rows[0].values[1]));
    CHECK(rows[1].values[0] == std::sqrt(9 + 0.1 * 0.1 + 1 + 16));
    CHECK(rows[1].values[1] == std::sqrt(0.1 * 0.1 + 1));
    CHECK(rows[1].values[2] == 7.0);
    CHECK(rows[1].values[3] == 0.0);
    const Snapshot snapshot = run.snapshot();
    CHECK(find_matrix(snapshot, "layer_0_W")->seeds[0].values == part(kW, 1));
    CHECK(as_doubles(snapshot.weights.at("layer_0_W")) == part(kW, 1));
    CHECK(snapshot.scalars[0].value == 50.0);
}

TEST_CASE("what is no sequence of matrices is refused with one sentence") {
    const Scratch scratch;
    const auto refused = [&](const ArrayMap& arrays) { return why_unreadable(scratch, arrays); };
    const Array good = array({2, 2, 2}, kW);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(refused({{"W", array({2, 1, 2}, {1, 2, 3, nan})}}) ==
          "W: is nan in snapshot 1, row 1, column 2. Give finite numbers");
    CHECK(refused({{"W", array({1, 2, 2, 2}, kW)}}) ==
          "W: has 4 dimensions, 1 x 2 x 2 x 2. Give 2 for a matrix, or 3 for a sequence: snapshots x rows x columns");
    CHECK(refused({{"W", array({2, 0, 2}, {})}}) == "W: is empty, 2 x 0 x 2");
    CHECK(refused({{"b", array({2}, {1, 2})}}) ==
          "holds no matrix. Give arrays of rows x columns, or of snapshots x rows x columns");
    CHECK(refused({{"V", array({3, 1, 1}, {1, 2, 3})}, {"W", good}}) ==
          "W: has 2 snapshots, but V has 3. Give all as many");
    CHECK(refused({{"W", array({1, 513}, std::vector<double>(513))}}) ==
          "W: a matrix has 1 x 513 entries. At most 512 rows and columns can be shown: give a part");
    CHECK(refused({{"a.b", good}, {"a_b", good}}) ==
          "a_b has the name of another matrix but for punctuation. Rename it");
    ArrayMap many;
    for (int i = 0; i < 33; ++i) many["W" + std::to_string(i)] = good;
    CHECK(refused(many) == "holds 33 matrices. At most 32 can be shown: give a part");
    CHECK(refused({{"V", array({512, 512}, std::vector<double>(512 * 512))}, {"W", good}}) ==
          "its matrices have 262148 entries together. At most 262144 can be shown: give a part");

    const std::string whole = slurp(every_form(scratch)[0]);
    spit(scratch / "cut.npz", whole.substr(0, whole.size() / 2));
    CHECK_FALSE(holds_matrices(scratch / "cut.npz"));
    CHECK(holds(why_unreadable(scratch / "cut.npz"), "cut.npz: "));
    CHECK(why_unreadable("nowhere").starts_with("file: 'nowhere' does not exist."));
}

TEST_CASE("folders whose files do not fit each other are refused") {
    const Scratch scratch;
    const auto npy = [&](const char* name, const Array& of) { write_file(scratch / name, npy_bytes(of)); };
    const std::string folder = scratch.path().string();
    npy("W_1.npy", array({1, 1}, {1}));
    CHECK(read_matrices(folder)->snapshots == 1);
    npy("W_2.npy", array({1, 2}, {1, 2}));
    CHECK(why_unreadable(scratch.path()) == folder + ": W has 1 x 2 entries in number 2, but 1 x 1 in number 1");
    npy("W_2.npy", array({1, 1, 1}, {1}));
    npy("V_2.npy", array({1, 1}, {1}));
    CHECK(why_unreadable(scratch.path()) == folder + ": number 1 has no V");
    npy("V_2.npy", array({2, 1, 1}, {1, 1}));
    CHECK(holds(why_unreadable(scratch.path()), "V_2.npy: is a sequence of its own."));
    fs::remove(scratch / "V_2.npy");
    npy("W_02.npy", array({1, 1}, {1}));
    CHECK(holds(why_unreadable(scratch.path()), "W stands in two files with number 2"));
    fs::remove(scratch / "W_02.npy");
    npy("last.npy", array({1, 1}, {1}));
    CHECK(holds(why_unreadable(scratch.path()), "last.npy: has no number at the end of its name"));
}

TEST_CASE("weights P and Q, and files of ours, are opened as before") {
    const Scratch scratch;
    write_npz(scratch / "weights.npz", {{"P", array({1, 1}, {1})}, {"Q", array({1, 1}, {1})}});
    CHECK_FALSE(holds_matrices(scratch / "weights.npz"));
    CHECK_FALSE(holds_matrices(scratch.path() / "none"));
    CHECK_FALSE(holds_matrices(source_dir() / "assets/worlds"));
    CHECK_FALSE(holds_matrices(source_dir() / "assets/weights/bandit-cosine.npz"));
}

TEST_CASE("the shipped layer finds letters and copies colours") {
    const auto sequence = read_matrices("copying");
    REQUIRE(sequence->matrices.size() == 2);
    CHECK(sequence->snapshots == 61);
    CHECK(sequence->steps.back() == 300);
    const Table &copies = sequence->matrices[0].at(60), &finds = sequence->matrices[1].at(60);
    CHECK(sequence->matrices[0].id == "W_OV");
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j) CHECK((i == j || finds(i, i) > finds(i, j)));
    for (int i = 10; i < 16; ++i)
        for (int j = 10; j < 16; ++j) CHECK((i == j || copies(i, i) > copies(i, j)));
}

}  // namespace emergence::matrices_test
