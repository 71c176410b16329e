#include "core/files/array_files.h"

#include <fmt/format.h>

#include <cstring>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/npy.h"
#include "core/files/safetensors.h"

namespace emergence {
namespace {

bool is_npy(std::span<const std::byte> bytes) { return as_text(bytes).starts_with("\x93NUMPY"); }

Array parse_npy(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    std::span<const std::byte> left = bytes;
    const auto next = [&left](std::span<std::byte> into) {
        if (!into.empty()) std::memcpy(into.data(), left.data(), into.size());
        left = left.subspan(into.size());
    };
    return read_npy(next, bytes.size(), limit, source);
}

}  // namespace

bool is_foreign_array_file(std::span<const std::byte> bytes) {
    return is_npy(bytes) || is_safetensors(bytes);
}

ArrayMap parse_arrays(std::span<const std::byte> bytes, const std::string& source, size_t limit) {
    if (is_npy(bytes))
        return {{std::filesystem::path(source).stem().string(), parse_npy(bytes, source, limit)}};
    if (as_text(bytes).starts_with("PK")) return parse_npz(bytes, source, limit);
    if (is_safetensors(bytes)) return parse_safetensors(bytes, source, limit);
    throw InputError(
        fmt::format("{}: holds no arrays. Needed is a whole NPZ, NPY or safetensors file", source));
}

ArrayMap read_arrays(const std::filesystem::path& path, size_t limit) {
    return parse_arrays(read_file(path, limit), path.string(), limit);
}

}  // namespace emergence
