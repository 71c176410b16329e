#pragma once
// Opens files of arrays from any program (NPZ, NPY, safetensors), and writes NPZ files.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/array.h"
#include "core/files/text.h"

namespace emergence {

/// Reads one array that takes at most `limit` bytes of memory. Throws InputError, naming file and array.
using ArrayReader = std::function<Array(size_t limit)>;
using ArrayReaders = std::map<std::string, ArrayReader>;

/// All arrays, which together take at most `limit` bytes of memory. Throws InputError if one cannot be read.
ArrayMap read_all(const ArrayReaders& readers, size_t limit);

/// The bytes that an array's values take in memory.
size_t bytes_in_memory(const Array& array);
/// The name under which SVG and PNG files hold the text of settings, and NPZ files its bytes, codes_of<int64_t>(). PDF
/// files hold it in their keywords.
inline constexpr const char* kSettingsKey = "emergence-config";

/// The arrays of an archive, compressed or not, in `bytes`, which must outlive the readers; read_npy() lists the
/// element types. Files that are not called <array>.npy are skipped. Throws InputError, naming `source`, unless it is
/// an archive.
ArrayReaders npz_readers(std::span<const std::byte> bytes, const std::string& source);

/// Reads every array of such an archive. Throws InputError, naming the file and the entry, unless all arrays are sound,
/// and both the file and the arrays take at most `limit` bytes. Limits are checked before anything is allocated.
ArrayMap read_npz(const std::filesystem::path& path, size_t limit = kMostArrayBytes);
/// The same from memory; messages name `source`.
ArrayMap parse_npz(std::span<const std::byte> bytes, const std::string& source, size_t limit = kMostArrayBytes);

/// Writes `arrays` as an uncompressed archive that NumPy opens, and replaces `path` once the archive is whole. The
/// same arrays give the same bytes. Settings, which are an array of character codes here, become a text in the file.
/// Throws IoError, or InputError if the archive is too large.
void write_npz(const std::filesystem::path& path, const ArrayMap& arrays);
/// The bytes of that archive. Throws InputError.
std::vector<std::byte> npz_bytes(const ArrayMap& arrays);

/// A file of arrays. Each is read only on request, so an unreadable array does not spoil the others. The file's first
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
    /// The arrays with these names that the file has. Throws InputError if one of them cannot be read.
    ArrayMap read(const std::vector<std::string>& names);

  private:
    std::vector<std::byte> owned_;
    std::string source_;
    size_t left_;
    ArrayReaders readers_;
    ArrayMap read_;
};

/// True if the bytes begin as an NPY file or are a safetensors file: formats that never hold our settings.
bool is_foreign_array_file(std::span<const std::byte> bytes);

struct NpyHeader {
    char byte_order = '<';  // '<' little-endian, '>' big-endian, '|' single bytes
    /// 'f' float, 'w' the upper half of a float (BF16, in tensors only), 'i' signed, 'u' unsigned, 'b' boolean, 'S' a
    /// text of item_size bytes.
    char kind = 'f';
    size_t item_size = 4;  // bytes
    bool fortran_order = false;
    std::vector<size_t> shape;
};

/// Throws InputError, beginning with `label`, unless the values fit in `limit` bytes of memory. An array without
/// elements may still have a large extent, over which loops run.
void check_memory(const NpyHeader& header, size_t limit, const std::string& label);

// NumPy's NPY format, versions 1.0 to 3.0: a line of Python that describes an array, and its bytes.

/// Fills a span with the next bytes of a file, or throws.
using ByteSource = std::function<void(std::span<std::byte>)>;

/// Reads an NPY file of `size` bytes, in any byte order; Fortran order becomes C order. Types become:
///
///     f2, f4                          float
///     f8                              double
///     b1, i1, i2, i4, i8, u1, u2, u4  int64_t
///     u8                              uint64_t
///     one S (a text of bytes)         int64_t, one per byte
///
/// Throws InputError, beginning with `label`, for other types (object, other text, complex, records), an invalid
/// header, a shape that disagrees with `size`, or an array of more than `limit` bytes in memory (checked before
/// allocating).
Array read_npy(const ByteSource& next, uint64_t size, size_t limit, const std::string& label);

/// Reads elements in C order, for formats that have another header. The caller has checked that `next` has all of them
/// and that they fit in memory.
Array read_npy_data(const ByteSource& next, const NpyHeader& header);

/// The NPY file (version 1.0, little-endian, C order) of `array`, the same bytes for the same array.
std::vector<std::byte> npy_bytes(const Array& array);
/// The NPY file of a text, which NumPy reads as bytes; read_npy() gives the codes of its bytes.
std::vector<std::byte> npy_text_bytes(std::string_view text);

// The safetensors format, in which many trained networks are published:
//
//     8 bytes        length of the header, little-endian
//     header         JSON: {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, ...}
//     data           the tensors' bytes, little-endian, row-major, without gaps

/// The tensors in `bytes`, which must outlive the readers. Types become:
///
///     F16, BF16, F32                            float
///     F64                                       double
///     BOOL, I8, I16, I32, I64, U8, U16, U32     int64_t
///     U64                                       uint64_t
///
/// A tensor of another type, or with a shape or offsets that do not fit the file, is refused only when it is read.
/// Throws InputError, naming `source`, for a header that is damaged or too large.
ArrayReaders safetensors_readers(std::span<const std::byte> bytes, const std::string& source);

}  // namespace emergence
