#include "core/experiments/in_context_td/published/published_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/files/npz.h"
#include "core/files/zip.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::authors_run_test {
namespace {

namespace fs = std::filesystem;
using testing::data_file;
using testing::message_of;
using testing::Scratch;
using testing::slurp;
using testing::spit;

fs::path sample_folder() { return data_file("wang_code_run"); }

// A run of two layers of their own, two logged points.
AuthorsRun small_run() {
    AuthorsRun run;
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

std::string npy_of(const std::string& header, const std::string& data) {
    std::string npy = std::string("\x93NUMPY\x01") + '\0';
    npy += static_cast<char>(header.size() & 0xFF);
    npy += static_cast<char>(header.size() >> 8);
    return npy + header + data;
}

template <class T>
std::string bytes_of_values(const std::vector<T>& values, bool big) {
    std::string data;
    for (const T value : values) {
        std::string bytes(sizeof(T), '\0');
        std::memcpy(bytes.data(), &value, sizeof(T));
        data += big ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
    }
    return data;
}

uint32_t crc_of(const std::string& text) {
    uint32_t crc = 0xFFFFFFFFU;
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
    }
    return ~crc;
}

void set_word(std::vector<std::byte>& bytes, size_t at, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes.at(at + i) = static_cast<std::byte>(value >> (8 * i) & 0xFF);
}

// Deflate's blocks that are not compressed: what any deflate reader takes.
std::string deflate_blocks(const std::string& text) {
    std::string stream;
    for (size_t at = 0; at < text.size() || at == 0; at += 0xFFFF) {
        const std::string part = text.substr(at, 0xFFFF);
        const auto size = static_cast<uint16_t>(part.size());
        stream += at + 0xFFFF >= text.size() ? '\1' : '\0';
        for (const uint16_t word : {size, static_cast<uint16_t>(~size)}) {
            stream += static_cast<char>(word & 0xFF);
            stream += static_cast<char>(word >> 8);
        }
        stream += part;
    }
    return stream;
}

// An archive with that one entry, deflated, that says it unpacks to `size` bytes.
std::vector<std::byte> deflated_archive(const std::string& name, const std::string& contents, size_t size) {
    ZipWriter writer;
    writer.add(name, as_bytes(deflate_blocks(contents)));
    std::vector<std::byte> bytes = writer.finish();
    const size_t directory = as_text(bytes).find("PK\x01\x02");
    for (const auto& [method, crc, unpacked] : {std::tuple{size_t{8}, size_t{14}, size_t{22}},
                                                std::tuple{directory + 10, directory + 16, directory + 24}}) {
        set_word(bytes, method, 8, 2);
        set_word(bytes, crc, crc_of(contents), 4);
        set_word(bytes, unpacked, size, 4);
    }
    return bytes;
}

// A folder of the sample's settings with these data.
struct Folder {
    Scratch scratch;
    explicit Folder(const AuthorsRun& run = small_run()) { write_authors_run(scratch.path(), run); }
    void put(std::string_view data) const { spit(scratch / kAuthorsData, std::string(data)); }
    void put(const ArrayMap& arrays) const { write_npz(scratch / kAuthorsData, arrays); }
    std::string refusal() const {
        const std::string message = message_of<InputError>([this] { read_authors_run(scratch.path()); });
        const std::string folder = scratch.path().string() + "/";
        return message.starts_with(folder) ? message.substr(folder.size()) : message;
    }
    // With one array put in another's place.
    std::string refusal_with(const std::string& name, const Array& array) const {
        ArrayMap arrays = authors_arrays(small_run());
        arrays[name] = array;
        put(arrays);
        return refusal();
    }
};

}  // namespace

TEST_CASE("a run of the published code is read as it stands") {
    const AuthorsRun run = read_authors_run(sample_folder());
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
    const AuthorsRun sample = read_authors_run(sample_folder());
    CHECK(authors_arrays(sample) == read_npz(sample_folder() / kAuthorsData));
    write_authors_run(scratch / "one", sample);
    CHECK(read_authors_run(scratch / "one") == sample);
    write_authors_run(scratch / "two", small_run());
    CHECK(read_authors_run(scratch / "two") == small_run());
    CHECK(read_npz(scratch / "two/data.npz").at("P").shape == std::vector<size_t>{2, 2, 3, 3});
    CHECK_FALSE(read_npz(scratch / "two/data.npz").contains("implicit_weight_sim"));
}

TEST_CASE("another byte order, Fortran order and compression are read as the same numbers") {
    const Folder folder;
    const AuthorsRun run = small_run();
    ArrayMap arrays = authors_arrays(run);
    const auto with_p = [&](const std::string& npy, bool deflated) {
        ZipWriter writer;
        std::vector<std::byte> rest = npz_bytes(arrays);
        ArrayMap others = arrays;
        others.erase("P");
        for (const auto& [name, array] : others) {
            const std::vector<std::byte> one = npz_bytes({{name, array}});
            const auto entries = read_zip(one, "one");
            writer.add(name + ".npy", entries[0].data);
        }
        if (!deflated) writer.add("P.npy", as_bytes(npy));
        return writer.finish();
    };
    folder.put(as_text(with_p(npy_of("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 2, 3, 3), }",
                                     bytes_of_values(run.P, true)),
                              false)));
    CHECK(read_authors_run(folder.scratch.path()) == run);

    std::vector<double> turned;  // first index fastest, and of twice the width
    for (size_t column = 0; column < 3; ++column)
        for (size_t row = 0; row < 3; ++row)
            for (size_t layer = 0; layer < 2; ++layer)
                for (size_t log = 0; log < 2; ++log)
                    turned.push_back(static_cast<double>(run.P[((log * 2 + layer) * 3 + row) * 3 + column]));
    folder.put(as_text(with_p(npy_of("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2, 3, 3), }",
                                     bytes_of_values(turned, false)),
                              false)));
    CHECK(read_authors_run(folder.scratch.path()) == run);

    const std::string npy = npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
                                   bytes_of_values<float>({1, 2, 3}, false));
    const ArrayMap unpacked = parse_npz(deflated_archive("a.npy", npy, npy.size()), "packed");
    CHECK(unpacked.at("a") == Array{{3}, std::vector<float>{1, 2, 3}});
}

TEST_CASE("arrays that are missing, of another shape or type are named") {
    const Folder folder;
    CHECK(folder.refusal() == "");
    ArrayMap arrays = authors_arrays(small_run());
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

TEST_CASE("cut, altered and hostile archives are refused before anything large is allocated") {
    const Folder folder;
    const std::string sound = slurp(folder.scratch / kAuthorsData);
    for (size_t size = 0; size < sound.size(); size += 7) {
        folder.put(sound.substr(0, size));
        CHECK_FALSE(folder.refusal().empty());
    }
    std::string altered = sound;
    altered[altered.find("xs.npy") + 140] ^= 1;
    folder.put(altered);
    CHECK(folder.refusal().find("checksum") != std::string::npos);

    const std::string huge = "{'descr': '<f4', 'fortran_order': False, 'shape': (67108865,), }";
    ZipWriter writer;
    writer.add("P.npy", as_bytes(npy_of(huge, "")));
    folder.put(as_text(writer.finish()));
    CHECK(folder.refusal() ==
          "data.npz: P.npy: 67108865 elements need more than the limit of 134217728 bytes");
    // A bomb: a third of a megabyte that says it unpacks to a quarter of a gigabyte and more.
    const std::string bomb = npy_of(huge, std::string(400'000, '\0'));
    folder.put(as_text(deflated_archive("P.npy", bomb, size_t{300} << 20)));
    CHECK(folder.refusal().find("need more than the limit of 134217728 bytes") != std::string::npos);
    // One that goes on after what it has declared, and one that ends before.
    const std::string three =
        npy_of("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", std::string(12, 'x'));
    folder.put(as_text(deflated_archive("P.npy", three + "more", three.size())));
    CHECK(folder.refusal().find("P.npy: there is more data") != std::string::npos);
    folder.put(as_text(deflated_archive("P.npy", three.substr(0, three.size() - 1), three.size())));
    CHECK(folder.refusal().find("P.npy: it ends too early") != std::string::npos);
    // A name that would climb out of the archive.
    std::string climbing = sound;
    for (size_t at = climbing.find("alpha.npy"); at != std::string::npos; at = climbing.find("alpha.npy", at))
        climbing.replace(at, 9, "../ha.npy");
    folder.put(climbing);
    CHECK(folder.refusal() == "data.npz: array 'alpha' is missing");
    folder.put("PK\3\4 no archive at all");
    CHECK(folder.refusal().find("not a readable archive") != std::string::npos);
    spit(folder.scratch / kAuthorsParams, "{\"d\": 100000000, \"s\": 1, \"n\": 1, \"l\": 1}");
    CHECK(folder.refusal() == "params.json: d and l: 100000000 is not from 1 to 1000");
    spit(folder.scratch / kAuthorsParams, "{\"d\": 4, \"s\": 1, \"n\": 1, \"l\": 1, \"random_seed\": -1}");
    CHECK(folder.refusal().find("random_seed: -1 is negative") != std::string::npos);
}

TEST_CASE("a folder of runs is all of them, by name, when they differ in the seed alone") {
    const Scratch scratch;
    AuthorsRun run = small_run();
    run.params.random_seed = 7;
    write_authors_run(scratch / "b", run);
    run.params.random_seed = 5;
    write_authors_run(scratch / "a", run);
    fs::create_directories(scratch / "none");
    const auto folders = authors_run_folders(scratch.path());
    REQUIRE(folders.size() == 2);
    CHECK(folders[0].filename() == "a");
    CHECK(authors_run_folders(scratch / "a/data.npz") == std::vector<fs::path>{scratch / "a"});
    CHECK(authors_run_folders(scratch / "a/params.json") == std::vector<fs::path>{scratch / "a"});
    CHECK(authors_run_folders(scratch / "none").empty());
    CHECK(authors_run_folders(scratch / "nowhere").empty());
    CHECK(authors_run_folders("").empty());

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
    write_authors_run(scratch / "c", run);
    CHECK(message_of<InputError>([&] { authors_settings(scratch.path()); }).find("in more than the seed") !=
          std::string::npos);
    CHECK(message_of<InputError>([&] {
              authors_settings(scratch / "none");
          }).find("no run of the published code. Name a folder with data.npz and params.json") !=
          std::string::npos);
}

}  // namespace emergence::authors_run_test
