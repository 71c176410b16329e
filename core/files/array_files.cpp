#include "core/files/array_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"

namespace emergence {
namespace {

constexpr std::string_view kSuffix = ".npy";

bool is_npy(std::span<const std::byte> bytes) { return as_text(bytes).starts_with("\x93NUMPY"); }

// Takes the bytes of `left` from its start.
ByteSource bytes_from(std::span<const std::byte>& left) {
    return [&left](std::span<std::byte> into) {
        if (!into.empty()) std::memcpy(into.data(), left.data(), into.size());
        left = left.subspan(into.size());
    };
}

Array parse_npy(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    std::span<const std::byte> left = bytes;
    return read_npy(bytes_from(left), bytes.size(), limit, source);
}

constexpr size_t kLengthBytes = 8;

// True if the file begins with a length that fits and a JSON object.
bool is_safetensors(std::span<const std::byte> bytes) {
    return bytes.size() > kLengthBytes && bytes[kLengthBytes] == std::byte{'{'} &&
           load_little<uint64_t>(bytes, 0) <= bytes.size() - kLengthBytes;
}

using TensorJson = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";

struct DataType {
    std::string_view name;
    char kind;  // as in NpyHeader
    size_t size;
};
constexpr DataType kTypes[] = {{"F64", 'f', 8}, {"F32", 'f', 4}, {"F16", 'f', 2}, {"BF16", 'w', 2}, {"I64", 'i', 8},
                               {"I32", 'i', 4}, {"I16", 'i', 2}, {"I8", 'i', 1},  {"U64", 'u', 8},  {"U32", 'u', 4},
                               {"U16", 'u', 2}, {"U8", 'u', 1},  {"BOOL", 'b', 1}};

// Throws InputError unless the description has the key with at most `most` whole numbers from 0.
std::vector<size_t> whole_numbers_in(const TensorJson& description, const char* key, size_t most) {
    const auto found = description.find(key);
    if (found == description.end() || !found->is_array() || found->size() > most)
        throw InputError("{}: must be a list of at most {} whole numbers", key, most);
    std::vector<size_t> values;
    for (const TensorJson& value : *found) {
        if (!value.is_number_unsigned()) throw InputError("{}: must be whole numbers of 0 or more", key);
        values.push_back(value.get<size_t>());
    }
    return values;
}

// The header that NPY would have, and the bytes.
struct Tensor {
    NpyHeader header;
    std::span<const std::byte> bytes;
};

// Throws InputError with what is wrong.
Tensor described(const TensorJson& json, std::span<const std::byte> data) {
    if (!json.is_object() || json.size() != 3)
        throw InputError("it must have dtype, shape and data_offsets, and nothing else");
    const std::vector<size_t> offsets = whole_numbers_in(json, "data_offsets", 2);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
        throw InputError("data_offsets: must be a begin and an end inside {} bytes of data", data.size());
    const auto named = json.find("dtype");
    const std::string name = named != json.end() && named->is_string() ? named->get<std::string>() : "";
    const DataType* type = find_named(kTypes, name);
    if (type == nullptr)
        throw InputError("type '{}' is not supported. Use F16, BF16, F32, F64, BOOL, I8 to I64 or U8 to U64", name);
    const std::vector<size_t> shape = whole_numbers_in(json, "shape", kMostDimensions);
    const size_t count = element_count(shape), found = offsets[1] - offsets[0];
    if (found % type->size != 0 || found / type->size != count)
        throw InputError("its shape {} of {} does not fit its {} bytes", shape_text(shape), type->name, found);
    return {{'<', type->kind, type->size, false, shape}, data.subspan(offsets[0], found)};
}

// npy_name: the name of the array in an NPY file.
ArrayReaders readers_of(std::span<const std::byte> bytes, const std::string& source, const std::string& npy_name) {
    if (is_npy(bytes)) return {{npy_name, [bytes, source](size_t limit) { return parse_npy(bytes, source, limit); }}};
    if (as_text(bytes).starts_with("PK")) return npz_readers(bytes, source);
    if (is_safetensors(bytes)) return safetensors_readers(bytes, source);
    throw InputError("{}: holds no arrays. Use a complete NPZ, NPY or safetensors file", source);
}

}  // namespace

size_t bytes_in_memory(const Array& array) {
    return std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, array.values);
}

void check_memory(const NpyHeader& header, size_t limit, const std::string& label) {
    size_t most = element_count(header.shape);
    for (const size_t extent : header.shape) most = std::max(most, extent);
    const bool real = header.kind == 'f' || header.kind == 'w';
    if (most > limit / (real ? std::max<size_t>(header.item_size, 4) : 8))
        throw InputError("{}: {} elements need more than the limit of {} bytes", label, most, limit);
}

ArrayMap read_all(const ArrayReaders& readers, size_t limit) {
    ArrayMap arrays;
    for (const auto& [name, read] : readers) {
        Array array = read(limit);
        limit -= bytes_in_memory(array);
        arrays.emplace_hint(arrays.end(), name, std::move(array));
    }
    return arrays;
}

ArrayReaders npz_readers(std::span<const std::byte> bytes, const std::string& source) {
    ArrayReaders readers;
    for (ZipEntry& entry : read_zip(bytes, source)) {
        if (!entry.name.ends_with(kSuffix) || entry.name.size() == kSuffix.size()) continue;
        const std::string name = entry.name.substr(0, entry.name.size() - kSuffix.size());
        readers[name] = [entry = std::move(entry), source](size_t limit) {
            const std::string label = fmt::format("{}: {}", source, entry.name);
            ZipReader reader(entry, label);
            Array array = read_npy([&](std::span<std::byte> into) { reader.read(into); }, entry.size, limit, label);
            reader.finish();
            return array;
        };
    }
    return readers;
}

ArrayMap parse_npz(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    return read_all(npz_readers(bytes, source), limit);
}

ArrayMap read_npz(const std::filesystem::path& path, size_t limit) {
    return parse_npz(read_file(path, limit), path.string(), limit);
}

std::vector<std::byte> npz_bytes(const ArrayMap& arrays) {
    ZipWriter archive;
    const auto add = [&archive](const auto& named) {
        archive.add(named.first + std::string(kSuffix), npy_bytes(named.second));
    };
    // Settings first, so that a desktop recognises our files by their first bytes (app/install/mime.xml).
    const auto settings = arrays.find(kSettingsKey);
    const auto text = settings != arrays.end() ? text_of_codes(settings->second) : std::nullopt;
    if (text && !text->empty() && text->back() != '\0')  // NumPy drops zeros at the end of a text
        archive.add(kSettingsKey + std::string(kSuffix), npy_text_bytes(*text));
    else if (settings != arrays.end())
        add(*settings);
    for (auto named = arrays.begin(); named != arrays.end(); ++named)
        if (named != settings) add(*named);
    return archive.finish();
}

void write_npz(const std::filesystem::path& path, const ArrayMap& arrays) { write_file(path, npz_bytes(arrays)); }

bool is_foreign_array_file(std::span<const std::byte> bytes) { return is_npy(bytes) || is_safetensors(bytes); }

ArrayFile::ArrayFile(const std::filesystem::path& path, size_t limit, const std::string& prefix)
    : owned_(read_file(path, limit)),
      source_(prefix + path.string()),
      left_(limit),
      readers_(readers_of(owned_, source_, path.stem().string())) {}

ArrayFile::ArrayFile(std::span<const std::byte> bytes, std::string source, size_t limit)
    : source_(std::move(source)),
      left_(limit),
      readers_(readers_of(bytes, source_, std::filesystem::path(source_).stem().string())) {}

std::vector<std::string> ArrayFile::names() const {
    return mapped(readers_, [](const auto& reader) { return reader.first; });
}

const Array* ArrayFile::find(const std::string& name) {
    if (const auto found = read_.find(name); found != read_.end()) return &found->second;
    const auto reader = readers_.find(name);
    if (reader == readers_.end()) return nullptr;
    const Array& array = read_[name] = reader->second(left_);
    left_ -= bytes_in_memory(array);
    return &array;
}

const Array& ArrayFile::at(const std::string& name) {
    if (const Array* array = find(name)) return *array;
    constexpr size_t kMostNamed = 20;
    std::vector<std::string> others = names();
    std::string more;
    if (others.size() > kMostNamed) {
        more = fmt::format(" and {} more", others.size() - kMostNamed);
        others.resize(kMostNamed);
    }
    throw InputError("{}: array '{}' is missing. The file holds {}{}", source_, name,
                     others.empty() ? "nothing" : fmt::format("{}", fmt::join(others, ", ")), more);
}

ArrayMap ArrayFile::read(const std::vector<std::string>& names) {
    ArrayMap arrays;
    for (const std::string& name : names)
        if (find(name) != nullptr) arrays.insert(read_.extract(name));
    return arrays;
}

ArrayReaders safetensors_readers(std::span<const std::byte> bytes, const std::string& source) {
    if (bytes.size() < kLengthBytes) throw InputError("{}: safetensors: it ends too early", source);
    const auto length = load_little<uint64_t>(bytes, 0);
    if (length > kMostTensorHeader || length > bytes.size() - kLengthBytes)
        throw InputError("{}: safetensors header: it declares {} bytes, but {} follow, and the limit is {}", source,
                         length, bytes.size() - kLengthBytes, kMostTensorHeader);
    const std::string_view text = as_text(bytes.subspan(kLengthBytes, length));
    check_nesting(text, source);
    const TensorJson header = TensorJson::parse(text, nullptr, false);
    if (header.is_discarded()) throw InputError("{}: safetensors header: it is not JSON, or cut short", source);
    if (!header.is_object()) throw InputError("{}: safetensors header: must be an object", source);
    const std::span<const std::byte> data = bytes.subspan(kLengthBytes + length);
    ArrayReaders readers;
    for (const auto& [name, json] : header.items()) {
        if (name == kMetadata) continue;
        const std::string label = fmt::format("{}: {}", source, name);
        readers[name] = [json = json, data, label](size_t limit) {
            Tensor tensor;
            try {
                tensor = described(json, data);
            } catch (const InputError& error) {
                throw InputError("{}: {}", label, error.what());
            }
            check_memory(tensor.header, limit, label);
            return read_npy_data(bytes_from(tensor.bytes), tensor.header);
        };
    }
    return readers;
}

}  // namespace emergence
