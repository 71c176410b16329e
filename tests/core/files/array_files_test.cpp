#include "core/files/array_files.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "tests/support/packed_archive.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using namespace testing;

constexpr const char* kPython = "/usr/bin/python3";

bool has_numpy() {
    static const bool found = std::filesystem::exists(kPython) &&
                              std::system(fmt::format("{} -c 'import numpy' 2>/dev/null", kPython).c_str()) == 0;
    return found;
}

// Runs a program with `folder` as its working folder.
bool run_numpy(const Scratch& folder, const std::string& program) {
    spit(folder / "program.py", "import numpy as np\n" + program);
    return std::system(fmt::format("cd '{}' && {} program.py", folder.path().string(), kPython).c_str()) == 0;
}

ArrayMap sample_arrays() {
    ArrayMap arrays;
    arrays["P"] = {{2, 3},
                   std::vector<float>{1.5F, -2.0F, 3.25F, 0.0F, std::numeric_limits<float>::infinity(), 1e-40F}};
    arrays["alpha"] = {{}, std::vector<double>{0.1}};
    arrays["steps and more"] = {{4}, std::vector<int64_t>{0, -1, std::numeric_limits<int64_t>::min(), 7}};
    arrays["seed"] = {{1, 1, 1}, std::vector<uint64_t>{std::numeric_limits<uint64_t>::max()}};
    arrays["none"] = {{0, 5}, std::vector<double>{}};
    return arrays;
}

// An archive of one NPY file with that header (no padding) and data.
std::vector<std::byte> archive_of(const std::string& header, const std::string& data, const std::string& name = "a.npy",
                                  char version = 1) {
    std::string npy = std::string("\x93NUMPY") + version + '\0';
    npy += static_cast<char>(header.size() & 0xFF);
    npy += static_cast<char>(header.size() >> 8);
    if (version > 1) npy += std::string(2, '\0');
    npy += header + data;
    ZipWriter writer;
    writer.add(name, as_bytes(npy));
    return writer.finish();
}

std::string npz_refusal(const std::vector<std::byte>& bytes) {
    return message_of<InputError>([&] { parse_npz(bytes, "f.npz"); });
}

std::string header_refusal(const std::string& header, const std::string& data = "") {
    return npz_refusal(archive_of(header, data));
}

void set_bytes(std::vector<std::byte>& bytes, size_t at, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes.at(at + i) = static_cast<std::byte>(value >> (8 * i) & 0xFF);
}

size_t directory_of(const std::vector<std::byte>& bytes) { return as_text(bytes).find("PK\x01\x02"); }

TEST_CASE("arrays survive a round trip, and the same arrays give the same bytes") {
    const Scratch scratch;
    write_npz(scratch / "a.npz", sample_arrays());
    CHECK(read_npz(scratch / "a.npz") == sample_arrays());
    CHECK(npz_bytes(sample_arrays()) == npz_bytes(sample_arrays()));
    CHECK(as_text(npz_bytes(sample_arrays())) == slurp(scratch / "a.npz"));
    CHECK(parse_npz(npz_bytes({}), "empty").empty());
}

TEST_CASE("data begin at multiples of 64 bytes of the NPY file, as NumPy's do") {
    const std::vector<std::byte> bytes = npy_bytes({{3}, std::vector<double>{1, 2, 3}});
    CHECK(bytes.size() % 64 == 24);
    CHECK(as_text(bytes).find("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } ") == 10);
}

TEST_CASE("NumPy opens what is written") {
    if (!has_numpy()) return;
    const Scratch scratch;
    write_npz(scratch / "a.npz", sample_arrays());
    CHECK(run_numpy(scratch,
                    "z = np.load('a.npz')\n"
                    "assert sorted(z) == ['P', 'alpha', 'none', 'seed', 'steps and more'], sorted(z)\n"
                    "P = z['P']\n"
                    "assert P.dtype == '<f4' and P.shape == (2, 3) and P[0, 2] == 3.25 and np.isinf(P[1, 1])\n"
                    "assert z['alpha'].shape == () and z['alpha'] == 0.1 and z['none'].shape == (0, 5)\n"
                    "assert z['seed'][0, 0, 0] == 2**64 - 1 and z['steps and more'][2] == -2**63\n"));
}

TEST_CASE("what NumPy writes is read: compressed, Fortran order, big endian, every width, format 2 and 3") {
    if (!has_numpy()) return;
    const Scratch scratch;
    REQUIRE(
        run_numpy(scratch,
                  "a = np.arange(24.0).reshape(2, 3, 4)\n"
                  "kinds = {k: np.array([0, 1, 100]).astype(k) for k in\n"
                  "         "
                  "['f2','f4','f8','>f4','>f8','>f2','i1','i2','i4','i8','>i4','u1','u2','>u2','u4','u8','?']}\n"
                  "kinds['i2'][1] = -2\n"
                  "kinds['f2'][1] = 0.1\n"
                  "kinds['>f2'][1] = 6e-8\n"
                  "for save, name in ((np.savez, 'plain.npz'), (np.savez_compressed, 'packed.npz')):\n"
                  "    save(name, c=a, f=np.asfortranarray(a), t=a.T, scalar=np.float32(2), empty=np.zeros((3, 0)),\n"
                  "         zeros=np.zeros(300000), **{'kind ' + k: v for k, v in kinds.items()})\n"
                  "import zipfile\n"
                  "with zipfile.ZipFile('versions.npz', 'w') as z:\n"
                  "    for version in ((2, 0), (3, 0)):\n"
                  "        with z.open('v%d.npy' % version[0], 'w', force_zip64=True) as f:\n"
                  "            np.lib.format.write_array(f, a, version=version)\n"));
    for (const char* name : {"plain.npz", "packed.npz"}) {
        const ArrayMap arrays = read_npz(scratch / name);
        CHECK(arrays.size() == 23);
        CHECK(arrays.at("c") == arrays.at("f"));
        CHECK(arrays.at("t").shape == std::vector<size_t>{4, 3, 2});
        CHECK(as_doubles(arrays.at("t"))[1] == 12.0);  // [0, 0, 1] of the transpose
        CHECK(as_doubles(arrays.at("t"))[2] == 4.0);   // [0, 1, 0]
        CHECK(arrays.at("scalar") == Array{{}, std::vector<float>{2}});
        CHECK(arrays.at("empty").shape == std::vector<size_t>{3, 0});
        CHECK(std::get<std::vector<double>>(arrays.at("zeros").values).size() == 300'000);
        for (const char* kind : {"f4", "f8", ">f4", ">f8", "i1", "i4", "i8", ">i4", "u1", "u2", ">u2", "u4", "u8"}) {
            const bool right = as_doubles(arrays.at(std::string("kind ") + kind)) == std::vector<double>{0, 1, 100};
            CHECK_MESSAGE(right, kind);
        }
        CHECK(arrays.at("kind i2") == Array{{3}, std::vector<int64_t>{0, -2, 100}});
        CHECK(arrays.at("kind ?") == Array{{3}, std::vector<int64_t>{0, 1, 1}});
        CHECK(arrays.at("kind f2") == Array{{3}, std::vector<float>{0, 0.0999755859375F, 100}});
        CHECK(arrays.at("kind >f2") == Array{{3}, std::vector<float>{0, 0x1p-24F, 100}});
    }
    const ArrayMap versions = read_npz(scratch / "versions.npz");
    CHECK(versions.at("v2") == versions.at("v3"));
    CHECK(versions.at("v2").shape == std::vector<size_t>{2, 3, 4});
}

TEST_CASE("headers are read as Python writes them, and nothing else is") {
    const std::string two_floats(8, '\0');
    CHECK(parse_npz(archive_of("{\"shape\": (2L,), 'fortran_order': True, 'descr': '<f4'}\n", two_floats), "f")
              .at("a")
              .shape == std::vector<size_t>{2});
    CHECK(parse_npz(archive_of("{'descr':'>f4','fortran_order':False,'shape':(1,2),}", two_floats, "a.npy", 3), "f")
              .size() == 1);
    const auto with = [](const std::string& descr, const std::string& shape) {
        return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
    };
    CHECK(header_refusal(with("'|O'", "(1,)")).find("f.npz: a.npy: type '|O' cannot be read, only floats") == 0);
    for (const char* descr : {"'<c8'", "'<U3'", "'|Sx'", "'<M8[s]'", "'<f3'", "'<i16'", "''", "'|f4'", "'<b2'", "'f4'"})
        CHECK_MESSAGE(holds(header_refusal(with(descr, "(1,)")), "cannot be read"), descr);
    CHECK(holds(header_refusal(with("'|S3'", "(1,)")), "only a single text can be read, not several"));
    CHECK(holds(header_refusal(with("[('x', '<f4')]", "(1,)")), "records are not read"));
    CHECK(holds(header_refusal(with("'<f4'", "(3)"), two_floats), "not a tuple"));
    CHECK(holds(header_refusal(with("'<f4'", "(-1,)")), "not a whole number"));
    CHECK(holds(header_refusal(with("'<f4'", "(99999999999999999999,)")), "too large"));
    CHECK(header_refusal(with("'<f4'", "(3,)"), two_floats) ==
          "f.npz: a.npy: its shape asks for 12 bytes of data, but 8 follow");
    CHECK(holds(header_refusal(with("'<f4'", "(4294967296, 4294967296, 4294967296)")), "more elements than"));
    CHECK(holds(header_refusal(with("'<f4'", "(1099511627776,)")), "need more than the limit of 268435456 bytes"));
    CHECK(holds(header_refusal(with("'<f4'", "(2,)") + "x", two_floats), "the dictionary has text after it"));
    CHECK(holds(header_refusal("{'descr': '<f4', 'shape': (2,)}", two_floats), "is missing"));
    CHECK(holds(header_refusal("{'descr': '<f4', 'descr': '<f4'}", two_floats), "occurs twice"));
    CHECK(holds(header_refusal("{'order': 3}", two_floats), "key 'order' is not one of"));
    CHECK(holds(header_refusal("", two_floats), "'{' is missing"));
    CHECK(holds(header_refusal("{'descr': '<f4"), "does not end"));
    std::string deep = "(";
    for (int i = 0; i < 33; ++i) deep += "1, ";
    CHECK(holds(header_refusal(with("'<f4'", deep + ")")), "more than 32 dimensions"));
    CHECK(holds(npz_refusal(archive_of(with("'<f4'", "(2,)"), two_floats, "a.npy", 4)), "NPY version 4.0"));
}

TEST_CASE("what is no array is passed over, and of two arrays with a name the last is read, as by NumPy") {
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }";
    CHECK(parse_npz(archive_of(header, "", "a.txt"), "f.npz").empty());
    const Array a{{1}, std::vector<float>{1.0F}}, b{{1}, std::vector<float>{2.0F}};
    ZipWriter twice;
    twice.add("a.npy", npy_bytes(a));
    twice.add("a.npy", npy_bytes(b));
    CHECK(parse_npz(twice.finish(), "f.npz") == ArrayMap{{"a", b}});
}

TEST_CASE("hostile archives are refused before anything large is allocated") {
    const std::vector<std::byte> sound =
        archive_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", std::string(8, 'x'));
    REQUIRE(parse_npz(sound, "f").size() == 1);
    const size_t directory = directory_of(sound);
    const auto changed = [&](size_t at, uint64_t value, size_t size) {
        std::vector<std::byte> bytes = sound;
        set_bytes(bytes, at, value, size);
        return npz_refusal(bytes);
    };
    CHECK(holds(changed(directory + 20, 0x7FFFFFFF, 4), "its declared size exceeds the file"));
    CHECK(holds(changed(directory + 24, 0x7FFFFFFF, 4), "its two sizes differ"));
    CHECK(holds(changed(directory + 8, 1, 2), "encrypted"));
    CHECK(holds(changed(directory + 10, 12, 2), "compression method 12"));
    CHECK(holds(changed(directory + 16, 0, 4), "damaged: checksum"));
    CHECK(holds(changed(directory + 42, 5, 4), "not where the directory says"));
    CHECK(holds(changed(30, 'b', 1), "another name"));
    CHECK(holds(changed(sound.size() - 6, 0x00FFFFFF, 4), "outside the file"));
    CHECK(holds(changed(sound.size() - 12, 9, 2), "entries do not fit"));
    // Deflate, with a size that no compression reaches.
    std::vector<std::byte> bomb = sound;
    set_bytes(bomb, directory + 10, 8, 2);
    set_bytes(bomb, directory + 24, 0x3FFFFFFF, 4);
    CHECK(holds(npz_refusal(bomb), "more bytes than its compressed data can hold"));
    // Sizes and places that stand elsewhere.
    CHECK(holds(changed(directory + 20, 0xFFFFFFFF, 4), "its declared size exceeds"));
    CHECK(holds(changed(sound.size() - 6, 0xFFFFFFFF, 4), "of the form ZIP64"));
    CHECK(holds(npz_refusal({}), "no NPZ file, or cut short"));
}

TEST_CASE("no cut and no changed byte gets past the reader as anything but an InputError") {
    const std::vector<std::byte> sound = npz_bytes(sample_arrays());
    for (size_t size = 0; size < sound.size(); ++size)
        CHECK_THROWS_WITH_AS(parse_npz(std::span(sound).first(size), "f"), doctest::Contains("f: "), InputError);
    size_t refused = 0;
    for (size_t at = 0; at < sound.size(); ++at)
        for (const int flip : {0x01, 0x80, 0xFF}) {
            std::vector<std::byte> bytes = sound;
            bytes[at] ^= static_cast<std::byte>(flip);
            try {
                parse_npz(bytes, "f");
            } catch (const InputError&) {
                ++refused;
            }
        }
    CHECK(refused > sound.size());
}

TEST_CASE("changed bytes of a compressed archive are no worse") {
    if (!has_numpy()) return;
    const Scratch scratch;
    REQUIRE(run_numpy(scratch, "np.savez_compressed('a.npz', a=np.arange(500.0), b=np.ones((3, 4), 'f4'))\n"));
    const std::vector<std::byte> sound = read_file(scratch / "a.npz", 1U << 20);
    const ArrayMap right = parse_npz(sound, "f");
    for (size_t at = 0; at < sound.size(); ++at) {
        std::vector<std::byte> bytes = sound;
        bytes[at] ^= std::byte{0x10};
        ArrayMap read;
        try {
            read = parse_npz(bytes, "f");
        } catch (const InputError&) {
            continue;
        }
        // What the checksum does not cover: dates, versions, attributes. The arrays are the right ones or
        // fewer.
        for (const auto& [name, array] : read) CHECK(right.at(name) == array);
    }
    for (size_t size = 0; size < sound.size(); ++size)
        CHECK_THROWS_WITH_AS(parse_npz(std::span(sound).first(size), "f"), doctest::Contains("f: "), InputError);
}

TEST_CASE("a bomb of overlapping entries is refused") {
    if (!has_numpy()) return;
    const Scratch scratch;
    REQUIRE(
        run_numpy(scratch,
                  "import zlib, struct\n"
                  "header = b\"{'descr': '|u1', 'fortran_order': False, 'shape': (10000000,), }\"\n"
                  "npy = b'\\x93NUMPY\\x01\\0' + struct.pack('<H', len(header)) + header + bytes(10000000)\n"
                  "packer = zlib.compressobj(9, zlib.DEFLATED, -15)\n"
                  "data = packer.compress(npy) + packer.flush()\n"
                  "common = lambda: struct.pack('<HHHHHIIIHH', 20, 0, 8, 0, 33, zlib.crc32(npy), len(data), len(npy), "
                  "5, 0)\n"
                  "body = b'PK\\x03\\x04' + common() + b'a.npy' + data\n"
                  "entry = b'PK\\x01\\x02' + b'\\x14\\0' + common() + bytes(14) + b'a.npy'\n"
                  "entries = [entry.replace(b'a.npy', b'%c.npy' % (97 + i)) for i in range(20)]\n"
                  "end = lambda n, d: b'PK\\x05\\x06\\0\\0\\0\\0' + struct.pack('<HHIIH', n, n, len(d), len(body), 0)\n"
                  "open('one.npz', 'wb').write(body + entry + end(1, entry))\n"
                  "many = b''.join(entries)\n"
                  "open('many.npz', 'wb').write(body + many + end(20, many))\n"));
    // One such entry is sound, though highly compressed; it takes 8 bytes an element in memory.
    CHECK(read_npz(scratch / "one.npz").at("a").shape == std::vector<size_t>{10'000'000});
    CHECK_THROWS_WITH_AS(read_npz(scratch / "many.npz"), doctest::Contains("b.npy: its own header gives another name"),
                         InputError);
}

TEST_CASE("settings are a text in the archive, and character codes here as ever") {
    const Array codes{{3}, std::vector<int64_t>{'a', '=', 0xE9}};
    const std::vector<std::byte> bytes = npz_bytes({{kSettingsKey, codes}});
    CHECK(as_text(bytes).find("'descr': '|S3', 'fortran_order': False, 'shape': ()") != std::string_view::npos);
    CHECK(parse_npz(bytes, "a.npz").at(kSettingsKey) == codes);
    // No text: numbers stay numbers.
    for (const std::vector<int64_t>& odd : {std::vector<int64_t>{97, 0}, {300}, {}}) {
        const Array numbers{{odd.size()}, odd};
        CHECK(parse_npz(npz_bytes({{kSettingsKey, numbers}}), "a.npz").at(kSettingsKey) == numbers);
    }
}

}  // namespace
}  // namespace emergence
