#include "core/files/array_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/npy.h"
#include "core/files/safetensors.h"
#include "core/files/zip.h"

namespace emergence {
namespace {

constexpr std::string_view kSuffix = ".npy";

// The text whose codes the array holds; nullopt if it holds none that NumPy would give back whole.
std::optional<std::string> text_of(const Array& array) {
    const auto* codes = std::get_if<std::vector<int64_t>>(&array.values);
    if (codes == nullptr || codes->empty() || array.shape.size() != 1 || codes->back() == 0) return std::nullopt;
    std::string text;
    for (const int64_t code : *codes) {
        if (code < 0 || code > 255) return std::nullopt;
        text += static_cast<char>(static_cast<unsigned char>(code));
    }
    return text;
}

bool is_npy(std::span<const std::byte> bytes) { return as_text(bytes).starts_with("\x93NUMPY"); }

Array parse_npy(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    std::span<const std::byte> left = bytes;
    const auto next = [&left](std::span<std::byte> into) {
        if (!into.empty()) std::memcpy(into.data(), left.data(), into.size());
        left = left.subspan(into.size());
    };
    return read_npy(next, bytes.size(), limit, source);
}

std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

// npy_name: of the array of an NPY file.
ArrayReaders readers_of(std::span<const std::byte> bytes, const std::string& source, const std::string& npy_name) {
    if (is_npy(bytes)) return {{npy_name, [bytes, source](size_t limit) { return parse_npy(bytes, source, limit); }}};
    if (as_text(bytes).starts_with("PK")) return npz_readers(bytes, source);
    if (is_safetensors(bytes)) return safetensors_readers(bytes, source);
    throw InputError(fmt::format("{}: holds no arrays. Needed is a whole NPZ, NPY or safetensors file", source));
}

}  // namespace

size_t bytes_in_memory(const Array& array) {
    return std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, array.values);
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
    if (settings != arrays.end()) {
        const std::optional<std::string> text = text_of(settings->second);
        if (text)
            archive.add(kSettingsKey + std::string(kSuffix), npy_text_bytes(*text));
        else
            add(*settings);
    }
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
    : source_(std::move(source)), left_(limit), readers_(readers_of(bytes, source_, stem_of(source_))) {}

std::vector<std::string> ArrayFile::names() const {
    std::vector<std::string> names;
    for (const auto& [name, reader] : readers_) names.push_back(name);
    return names;
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
    throw InputError(fmt::format("{}: array '{}' is missing. The file holds {}{}", source_, name,
                                 others.empty() ? "nothing" : fmt::format("{}", fmt::join(others, ", ")), more));
}

ArrayMap ArrayFile::read(const std::vector<std::string>& names) {
    ArrayMap arrays;
    for (const std::string& name : names)
        if (find(name) != nullptr) arrays.insert(read_.extract(name));
    return arrays;
}

ArrayMap parse_arrays(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    return read_all(readers_of(bytes, source, stem_of(source)), limit);
}

ArrayMap read_arrays(const std::filesystem::path& path, size_t limit) {
    return parse_arrays(read_file(path, limit), path.string(), limit);
}

}  // namespace emergence
