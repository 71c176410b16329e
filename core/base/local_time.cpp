#include "core/base/local_time.h"

#include <chrono>
#include <ctime>

namespace emergence {
namespace {

std::string formatted_time(std::time_t time, const char* format) {
    std::tm local{};
    ::localtime_r(&time, &local);
    char text[64];
    return {text, std::strftime(text, sizeof text, format, &local)};
}

}  // namespace

std::string local_time(std::filesystem::file_time_type time, const char* format) {
    const auto system = std::chrono::file_clock::to_sys(time);
    return formatted_time(
        std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(system)),
        format);
}

std::string local_time(const char* format) { return formatted_time(std::time(nullptr), format); }

}  // namespace emergence
