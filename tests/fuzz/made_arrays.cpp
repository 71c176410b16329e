// Made files of arrays: archives, safetensors, moments and checkpoints.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/readers.h"
#include "tests/support/packed_archive.h"
#include "tests/support/toy_study.h"

namespace emergence::testing {
namespace {

constexpr size_t kMadeLimit = size_t{1} << 26;

const char* array_name(Choices& choices) {
    return choices.word({"P", "Q", "xs", "alpha", kSettingsKey, "W_token", "../P", "C:P", "a\nb", ""});
}

std::string made_shape(Choices& choices, uint64_t& count) {
    std::string shape = "(";
    count = 1;
    for (size_t left = choices.below(4); left > 0; --left) {
        const uint64_t extent = choices.one_in(16) ? choices.number() : choices.below(5);
        count *= extent;
        shape += fmt::format("{},", extent);
    }
    if (choices.one_in(64))
        for (size_t left = choices.below(50); left > 0; --left) shape += "1,";
    return shape + ")";
}

std::string made_npy(Choices& choices) {
    struct Type {
        const char* descr;
        size_t size;
    };
    const Type type = choices.of<Type>({{"'<f4'", 4},
                                        {"'<f8'", 8},
                                        {"'>f8'", 8},
                                        {"'<f2'", 2},
                                        {"'<i8'", 8},
                                        {"'>i4'", 4},
                                        {"'|u1'", 1},
                                        {"'|b1'", 1},
                                        {"'<u8'", 8},
                                        {"'|S5'", 5},
                                        {"'<U1'", 4},
                                        {"'|O'", 8},
                                        {"'<c8'", 8},
                                        {"'|S99999999'", 1},
                                        {"[('x', '<f4')]", 4}});
    uint64_t count = 0;
    const std::string shape = made_shape(choices, count);
    std::string header = fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", type.descr,
                                     choices.word({"False", "True", "true"}), shape);
    if (choices.one_in(32)) header = header.substr(0, choices.below(header.size()));
    const uint64_t size = choices.bent(count * type.size);
    return npy_text(header, std::string(std::min<uint64_t>(size, 4096), choices.of({'\0', 'a', '\xff'})));
}

void read_any(Bytes bytes) {
    refusing([&] {
        ArrayFile file(bytes, "made", kMadeLimit);
        for (const std::string& name : file.names()) refusing([&] { file.at(name); });
    });
    refusing([&] {
        ArrayFile file(bytes, "made", kMadeLimit);
        file.read(file.names());
    });
    refusing([&] { config_in(bytes, "made"); });
}

void read_made_zip(Bytes bytes) {
    Choices choices(bytes);
    std::vector<PackedFile> files;
    for (size_t left = 1 + choices.below(4); left > 0; --left) {
        PackedFile file{array_name(choices) + std::string(choices.word({".npy", ".npy", ".npy", "/", ".txt"})),
                        made_npy(choices)};
        file.deflated = choices.one_in(3);
        file.descriptor = choices.one_in(5);
        files.push_back(std::move(file));
    }
    const std::string comment = choices.one_in(5) ? choices.text(40) : "";
    read_any(packed_archive(files, comment, [&](uint64_t right) { return choices.bent(right); }));
}

void read_made_tensors(Bytes bytes) {
    Choices choices(bytes);
    std::string header = "{";
    uint64_t at = 0;
    for (size_t left = 1 + choices.below(5); left > 0; --left) {
        uint64_t count = 0;
        std::string shape = made_shape(choices, count);
        shape = shape.substr(1, shape.size() - 2);
        if (shape.ends_with(',')) shape.pop_back();
        const char* type = choices.word({"F32", "F64", "F16", "BF16", "BOOL", "U8", "I64", "F8_E4M3", "f32"});
        const uint64_t size = count * choices.of<uint64_t>({4, 8, 2, 2, 1, 1, 8});
        header += fmt::format("{}\"{}\":{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]{}}}",
                              header.size() > 1 ? "," : "", array_name(choices), type, shape, choices.bent(at),
                              choices.bent(at + size), choices.one_in(32) ? ",\"x\":0" : "");
        at += size;
    }
    if (choices.one_in(8)) header += ",\"__metadata__\":{\"format\":\"pt\"}";
    if (choices.one_in(8)) header += ",\"deep\":" + std::string(choices.below(5000), choices.of({'[', '{'}));
    header += "}";
    std::vector<std::byte> file;
    append_little<uint64_t>(file, choices.bent(header.size()));
    for (const char c : header) file.push_back(static_cast<std::byte>(c));
    file.resize(file.size() + choices.bent(std::min<uint64_t>(at, 4096)) % 8192);
    read_any(file);
}

// Bends arrays that a run has written: numbers, shapes, types, names.
void bend_arrays(Choices& choices, ArrayMap& arrays) {
    for (size_t left = 1 + choices.below(4); left > 0; --left) {
        if (arrays.empty()) return;
        const auto at = std::next(arrays.begin(), static_cast<std::ptrdiff_t>(choices.below(arrays.size())));
        Array& array = at->second;
        switch (choices.below(6)) {
            case 0:
            case 1:
                std::visit(
                    [&](auto& values) {
                        using T = std::remove_cvref_t<decltype(values[0])>;
                        if (values.empty()) return;
                        const uint64_t number = choices.number();
                        values[choices.below(values.size())] = std::is_integral_v<T>
                                                                   ? static_cast<T>(number)
                                                                   : static_cast<T>(static_cast<int64_t>(number));
                    },
                    array.values);
                break;
            case 2:
                std::visit(
                    [&](auto& values) {
                        values.resize(choices.below(40));
                        array.shape = {values.size()};
                    },
                    array.values);
                break;
            case 3:
                array = {{3}, std::vector<float>{1, 2, 3}};
                break;
            case 4: {
                auto node = arrays.extract(at);
                node.key() = node.key().substr(0, choices.below(node.key().size() + 1)) + choices.text(4);
                arrays.insert(std::move(node));
                break;
            }
            default:
                arrays.erase(at);
        }
    }
}

template <class Action>
void with_bent(Bytes bytes, const ArrayMap& right, Action&& action) {
    Choices choices(bytes);
    ArrayMap arrays = right;
    bend_arrays(choices, arrays);
    refusing([&] { action(arrays); });
}

// A toy run at step 30, with its moments and its checkpoint as arrays.
struct ToyFiles {
    ThreadPool pool{1};
    Run run{toy_info().make(toy_settings({"num_seeds=2"})), pool};
    ArrayMap moments, checkpoint;

    ToyFiles() {
        MomentLog log(16, 10);
        MetricHistory history(run.study().metrics(), run.num_seeds());
        for (int64_t step = 0; step <= 30; step += 10) {
            for (const MetricRow& row : run.advance_to(step)) history.append(row);
            log.add(run);
        }
        moments = moments_file("toy", run.study().settings(), log.moments());
        const SavedState state = state_of("toy", run, 1.0);
        checkpoint = checkpoint_arrays(state, history);
    }
};

void read_made_moments(Bytes bytes) {
    static const ToyFiles toy;
    with_bent(bytes, toy.moments, [&](const ArrayMap& arrays) {
        const std::vector<SavedMoment> moments = parse_moments(npz_bytes(arrays), "moments.npz");
        MomentLog log(3, 10, 2000);
        log.resume(moments, moments.empty() ? 0 : moments.back().step);
        log.next_after(30);
        ThreadPool pool(1);
        Run run(toy_info().make(toy_settings({"num_seeds=2"})), pool);
        for (const SavedMoment& moment : moments) run.load(moment.seeds);
    });
}

void read_made_checkpoint(Bytes bytes) {
    static const ToyFiles toy;
    with_bent(bytes, toy.checkpoint, [&](ArrayMap& arrays) {
        seal_checkpoint(arrays);
        const Checkpoint checkpoint = parse_checkpoint(npz_bytes(arrays), "checkpoint.npz");
        ThreadPool pool(1);
        Run run(toy_info().make(toy_settings({"num_seeds=2"})), pool);
        MetricHistory history(run.study().metrics(), run.num_seeds());
        restore(checkpoint, run, history);
        run.advance_to(run.step() + 3);
    });
}

}  // namespace

const std::vector<FuzzedReader>& made_array_readers() {
    static const std::vector<FuzzedReader> readers = {{"made-zip", read_made_zip},
                                                      {"made-tensors", read_made_tensors},
                                                      {"made-moments", read_made_moments},
                                                      {"made-checkpoint", read_made_checkpoint}};
    return readers;
}

}  // namespace emergence::testing
