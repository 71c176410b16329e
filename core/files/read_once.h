#pragma once
// What was read from files, kept until one of them changes.

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace emergence {

/// Name, time and size of each of these files, and of every file directly in those that are folders.
using FileStamps = std::vector<std::tuple<std::string, std::filesystem::file_time_type, uintmax_t>>;
FileStamps stamps_of(const std::vector<std::filesystem::path>& files);

/// From any thread.
template <class T>
class ReadOnce {
  public:
    /// What `read()` makes of `files`; what it made before if no name, time or size has changed. What it throws is not
    /// kept.
    template <class Read>
    T get(const std::vector<std::filesystem::path>& files, const Read& read) {
        const std::lock_guard lock(mutex_);
        FileStamps now = stamps_of(files);
        const auto known = known_.find(files.front());
        if (known != known_.end() && known->second.first == now) return known->second.second;
        T made = read();
        known_.insert_or_assign(files.front(), std::pair(std::move(now), made));
        return made;
    }

  private:
    std::mutex mutex_;
    std::map<std::filesystem::path, std::pair<FileStamps, T>> known_;
};

}  // namespace emergence
