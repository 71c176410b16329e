#pragma once
// Moments as text, in the time zone of this machine.

#include <filesystem>
#include <string>

namespace emergence {

/// As strftime writes a file's time: "%Y-%m-%d %H:%M".
std::string local_time(std::filesystem::file_time_type time, const char* format);
/// The same of this moment.
std::string local_time(const char* format);

/// What names of files and folders made at this moment hold: "20261122-081500".
inline std::string time_stamp() { return local_time("%Y%m%d-%H%M%S"); }

}  // namespace emergence
