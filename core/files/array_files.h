#pragma once
// One door for files of arrays, whatever program wrote them: NPZ, NPY or safetensors.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/files/npz.h"

namespace emergence {

/// A file of arrays, each read when it is asked for: an array that cannot be read refuses only itself. The file's first
/// bytes, not its name, tell the format. The array of an NPY file has no name of its own and takes the stem of the
/// file's: "P" for P.npy.
class ArrayFile {
  public:
    /// Throws InputError, naming the file, if its format is unknown, if it is damaged, or has more than `limit` bytes;
    /// the arrays that are read take at most as many.
    /// `prefix` begins all messages about the arrays.
    explicit ArrayFile(const std::filesystem::path& path, size_t limit = kMostArrayBytes,
                       const std::string& prefix = "");
    /// The same from memory, which must outlive this; messages name `source`.
    ArrayFile(std::span<const std::byte> bytes, std::string source, size_t limit = kMostArrayBytes);
    ArrayFile(const ArrayFile&) = delete;
    ArrayFile& operator=(const ArrayFile&) = delete;

    const std::string& source() const { return source_; }
    std::vector<std::string> names() const;
    bool contains(const std::string& name) const { return readers_.contains(name); }
    /// Null if the file has no such array. Throws InputError, naming file and array, if it cannot be read.
    const Array* find(const std::string& name);
    /// Throws InputError also if the file has no such array, with the names of those that it has.
    const Array& at(const std::string& name);
    /// Those of the arrays that the file has. Throws InputError if one of them cannot be read.
    ArrayMap read(const std::vector<std::string>& names);

  private:
    std::vector<std::byte> owned_;
    std::string source_;
    size_t left_;
    ArrayReaders readers_;
    ArrayMap read_;
};

/// Every array of a file. Throws InputError if one cannot be read.
ArrayMap read_arrays(const std::filesystem::path& path, size_t limit = kMostArrayBytes);
/// The same from memory; messages name `source`.
ArrayMap parse_arrays(std::span<const std::byte> bytes, const std::string& source,
                      size_t limit = kMostArrayBytes);

/// True if the bytes begin as an NPY file or are a safetensors file: formats that never hold our settings.
bool is_foreign_array_file(std::span<const std::byte> bytes);

}  // namespace emergence
