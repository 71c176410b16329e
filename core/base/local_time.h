#pragma once
// Dates and times as text, in the time zone of this machine.

#include <filesystem>
#include <string>

namespace emergence {

/// A file's time in strftime's format, e.g. "%Y-%m-%d %H:%M".
std::string local_time(std::filesystem::file_time_type time, const char* format);
/// The present time in strftime's format.
std::string local_time(const char* format);

/// The present time for names of files and folders: "20261122-081500".
inline std::string time_stamp() { return local_time("%Y%m%d-%H%M%S"); }

}  // namespace emergence
