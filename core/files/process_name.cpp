#include "core/files/process_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace emergence {
namespace {

// The start of a process, in clock ticks since the machine's; "" if no such process lives.
std::string start_of(const std::string& pid) {
    std::ifstream stream("/proc/" + pid + "/stat");
    std::string stat;
    std::getline(stream, stat);
    const size_t name_end = stat.rfind(')');  // the program's name may hold spaces
    if (name_end == std::string::npos) return "";
    std::istringstream rest(stat.substr(name_end + 1));
    std::string state, word;
    constexpr int kStartTime = 20;  // of the words after the name
    rest >> state;
    for (int i = 1; i < kStartTime; ++i) rest >> word;
    return state == "Z" || state == "X" ? "" : word;  // dead, only its parent has not asked for it
}

// Host and namespace of this process, within which numbers of processes are unique.
std::string this_place() {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    std::error_code ignored;
    const std::filesystem::path space = std::filesystem::read_symlink("/proc/self/ns/pid", ignored);
    return fmt::format("{} {}", host, space.empty() ? "?" : space.string());
}

}  // namespace

std::string this_process() {
    const std::string pid = std::to_string(::getpid()), start = start_of(pid);
    return start.empty() ? "" : fmt::format("{} {} {}", this_place(), pid, start);
}

bool has_ended(const std::string& process) {
    const std::string place = this_place() + ' ';
    if (!process.starts_with(place)) return false;
    std::istringstream words(process.substr(place.size()));
    std::string pid, start;
    words >> pid >> start;
    // A number, so that a name from somebody else leads to no other file.
    return pid.find_first_not_of("0123456789") == std::string::npos && start_of(pid) != start;
}

}  // namespace emergence
