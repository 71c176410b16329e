#pragma once
// ZIP archives as other programs write them: deflated, with data descriptors, a comment, folders; and with
// any number in them bent.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace emergence::testing {

struct PackedFile {
    std::string name, contents;
    bool deflated = false;
    /// Checksum and sizes follow the data instead of preceding it.
    bool descriptor = false;
};

/// Called with every number of the archive's headers; returns the one that is written.
using Bend = std::function<uint64_t(uint64_t)>;

std::vector<std::byte> packed_archive(const std::vector<PackedFile>& files, const std::string& comment = "",
                                      const Bend& bend = {});

/// An NPY file of version 1.0 with this header (no padding) and these data.
std::string npy_text(const std::string& header, const std::string& data);
/// The header of an array in C order: descr is quoted, shape in parentheses.
std::string npy_header_of(const std::string& descr, const std::string& shape);

/// The zlib stream of `text`, or its raw Deflate stream, without the zlib frame.
std::string deflated_text(std::string_view text, bool raw = false);
uint32_t checksum_of_text(std::string_view text);

}  // namespace emergence::testing
