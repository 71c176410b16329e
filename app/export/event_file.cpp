#include "app/export/event_file.h"

#include <bit>
#include <cmath>

namespace emergence {
namespace {

// CRC-32C (Castagnoli), bit by bit: files are small.
uint32_t castagnoli(const std::string& bytes) {
    uint32_t crc = ~uint32_t{0};
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0U);
    }
    return ~crc;
}

// Little-endian.
template <class T>
std::string raw(T value) {
    std::string bytes(sizeof(T), '\0');
    for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<char>((value >> (8 * i)) & 0xff);
    return bytes;
}

// As the format of records masks it.
std::string checksum(const std::string& bytes) {
    const uint32_t crc = castagnoli(bytes);
    return raw(((crc >> 15) | (crc << 17)) + 0xa282ead8U);
}

std::string record(const std::string& event) {
    const std::string length = raw(static_cast<uint64_t>(event.size()));
    return length + checksum(length) + event + checksum(event);
}

std::string varint(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
    return bytes + static_cast<char>(value);
}

// A field of protocol buffers that holds bytes.
std::string field(int number, const std::string& content) {
    return varint(static_cast<uint64_t>(number) << 3 | 2) + varint(content.size()) + content;
}

// Event: wall_time = 1 (double), step = 2, file_version = 3, summary = 5.
std::string event_at(int64_t step, const std::string& content) {
    return '\x09' + raw(std::bit_cast<uint64_t>(static_cast<double>(step))) + '\x10' +
           varint(static_cast<uint64_t>(step)) + content;
}

// Summary.value = 1, with tag = 1 and simple_value = 2 (float).
std::string scalar(const std::string& name, double value) {
    return field(1, field(1, name) + '\x15' + raw(std::bit_cast<uint32_t>(static_cast<float>(value))));
}

}  // namespace

std::string event_file(const Snapshot& snapshot, const MetricHistory& history, int seed) {
    std::string file = record(event_at(0, field(3, "brain.Event:2")));
    for (size_t i = 0; i < history.steps().size(); ++i) {
        const auto step = static_cast<int64_t>(history.steps()[i]);
        if (step > snapshot.step) break;
        std::string summary;
        for (const MetricInfo& metric : history.table()) {
            const double value = history.column(metric.name, seed)[i];
            if (!std::isnan(value)) summary += scalar(metric.name, value);
        }
        if (!summary.empty()) file += record(event_at(step, field(5, summary)));
    }
    return file;
}

}  // namespace emergence
