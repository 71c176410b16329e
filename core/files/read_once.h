#pragma once
// What was read from files, kept until one of them changes.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace emergence {

/// What changes with these files, and with every file directly in those that are folders: name, size, number and times of
/// each.
struct FileStamps {
    std::vector<std::pair<std::string, std::array<int64_t, 4>>> files;
    /// False if a file was written so lately that its next change may have the same time.
    bool settled = true;

    bool operator==(const FileStamps&) const = default;
};
FileStamps stamps_of(const std::vector<std::filesystem::path>& files);

/// From any thread.
template <class T>
class ReadOnce {
  public:
    /// What `read()` makes of `files`; what it made before if none has changed since. What it throws is not kept.
    template <class Read>
    T get(const std::vector<std::filesystem::path>& files, const Read& read) {
        const std::lock_guard lock(mutex_);
        FileStamps now = stamps_of(files);
        const auto known = known_.find(files.front());
        if (known != known_.end() && known->second.first == now && now.settled) return known->second.second;
        T made = read();
        known_.insert_or_assign(files.front(), std::pair(std::move(now), made));
        return made;
    }

  private:
    std::mutex mutex_;
    std::map<std::filesystem::path, std::pair<FileStamps, T>> known_;
};

}  // namespace emergence
