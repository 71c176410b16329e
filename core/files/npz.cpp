#include "core/files/npz.h"

#include <fmt/format.h>

#include <optional>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/npy.h"
#include "core/files/zip.h"

namespace emergence {
namespace {

constexpr std::string_view kSuffix = ".npy";

// The text whose codes the array holds; nullopt if it holds none that NumPy would give back whole.
std::optional<std::string> text_of(const Array& array) {
    const auto* codes = std::get_if<std::vector<int64_t>>(&array.values);
    if (codes == nullptr || codes->empty() || array.shape.size() != 1 || codes->back() == 0)
        return std::nullopt;
    std::string text;
    for (const int64_t code : *codes) {
        if (code < 0 || code > 255) return std::nullopt;
        text += static_cast<char>(static_cast<unsigned char>(code));
    }
    return text;
}

}  // namespace

ArrayReaders npz_readers(std::span<const std::byte> bytes, const std::string& source) {
    ArrayReaders readers;
    for (ZipEntry& entry : read_zip(bytes, source)) {
        if (!entry.name.ends_with(kSuffix) || entry.name.size() == kSuffix.size()) continue;
        const std::string name = entry.name.substr(0, entry.name.size() - kSuffix.size());
        readers[name] = [entry = std::move(entry), source](size_t limit) {
            const std::string label = fmt::format("{}: {}", source, entry.name);
            ZipReader reader(entry, label);
            Array array =
                read_npy([&](std::span<std::byte> into) { reader.read(into); }, entry.size, limit, label);
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

void write_npz(const std::filesystem::path& path, const ArrayMap& arrays) {
    write_file(path, npz_bytes(arrays));
}

}  // namespace emergence
