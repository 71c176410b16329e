#pragma once
// What became of files that were to be written.

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"

namespace emergence {

struct FileReport {
    std::vector<std::filesystem::path> written;
    std::vector<std::string> failures;              // a sentence each
    std::vector<std::filesystem::path> in_the_way;  // they exist and were not to be replaced: nothing was written
};

/// How far the writing has come.
struct FileProgress {
    size_t done = 0;
    size_t total = 0;
    std::string name;                                                // of the file that is being written
    double share = 0.0;                                              // of the work for that file, where it takes long
    double seconds_left = std::numeric_limits<double>::quiet_NaN();  // for that file; NaN: not known
};

/// The report in a sentence or two, for a notice: "Saved 4 files in figures", or what failed.
std::string sentence_of(const FileReport& report);
/// Asks to say it: a notice, or a banner for what failed.
void tell(const FileReport& report, Asks& asks);

}  // namespace emergence
