#pragma once
// Folders: list them, make them, and find the user's own.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace emergence {

/// Whether the file is a helper that a system or an editor left beside the user's: hidden (._a.toml, .DS_Store, a swap
/// file), a backup (a.toml~, #a.toml#), Thumbs.db, desktop.ini.
bool is_helper_file(const std::filesystem::path& path);
/// What a folder contains, sorted: everything, or everything but helper files. Empty if there is no such folder. Throws
/// IoError if it cannot be listed to its end. Nothing else in the program lists folders.
std::vector<std::filesystem::path> all_entries_in(const std::filesystem::path& folder);
std::vector<std::filesystem::path> entries_in(const std::filesystem::path& folder);
/// Those of entries_in() whose name ends in .toml.
std::vector<std::filesystem::path> toml_files_in(const std::filesystem::path& folder);
/// The regular files among entries_in(). Throws IoError also for a link that leads nowhere.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

/// The kind of file that `path` leads to; not_found if there is none. Throws IoError if the system does not say.
std::filesystem::file_type kind_of_file(const std::filesystem::path& path);

/// Whether something, a folder or a regular file is there, links followed; false also if the system does not tell.
bool is_there(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);
bool is_file(const std::filesystem::path& path);

/// `stem` + `ending`; if that exists, the first of "a-2.png", "a-3.png" and so on that does not.
std::filesystem::path free_path(const std::filesystem::path& stem, const std::string& ending = "");

/// Makes the folder and those above it, if they are missing. Throws IoError.
void make_folder(const std::filesystem::path& folder);

/// Whether `file` is `folder` or lies in it, once all links are followed. Neither need exist.
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

/// $HOME, if it is an absolute path.
std::optional<std::filesystem::path> home_folder();
/// A word of a command line with the home folder for "~", which a shell leaves in "--out=~/x" and in quotes.
std::string with_home_folder(const std::string& word);
/// The path as people type it: without blanks around it, "~" is the home folder.
std::filesystem::path typed_path(const std::string& text);

/// Locks a folder against other Emergence programs while this object lives. The lock of a killed process is free. On
/// file systems without locks nobody is excluded.
class FolderLock {
  public:
    /// Takes the lock; nullopt if another program holds it for longer than `patience`, or if the folder does not exist.
    /// Throws IoError if the folder cannot be opened.
    static std::optional<FolderLock> take(const std::filesystem::path& folder, std::chrono::milliseconds patience = {});
    /// True if the folder at this path is still the locked one.
    bool holds(const std::filesystem::path& folder) const;
    /// Where the locked folder is now; nullopt if it has been removed.
    std::optional<std::filesystem::path> place() const;
    /// The longest time that a killed process needs to disappear.
    static constexpr std::chrono::milliseconds kLastBreath{1500};

    FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FolderLock();

  private:
    explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

    int descriptor_ = -1;  // of the folder
};

/// Name, size and time of these files, and of every file directly in those that are folders.
struct FileStamps {
    std::vector<std::tuple<std::string, uintmax_t, std::filesystem::file_time_type>> files;
    bool settled = true;  // false if a file was written so lately that its next change may have the same time

    bool operator==(const FileStamps&) const = default;
};
FileStamps stamps_of(const std::vector<std::filesystem::path>& files);

/// Keeps what was read from files until one of them changes. Safe on any thread.
template <class T>
class ReadOnce {
  public:
    /// The result of `read()` for `files`, or the stored one if no file changed. Exceptions are not stored.
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

/// The folder of assets: `override_folder` if given, else the first of these that holds a folder `presets`:
///
///     <folder of the executable>/../share/emergence    (installed)
///     <folder of the executable>/../../assets          (a build inside the source tree)
///     <working directory>/assets
///
/// Throws InputError if `override_folder` holds no folder `presets`, and IoError, naming the places, if none of the
/// others does.
std::filesystem::path find_assets(const std::filesystem::path& executable,
                                  const std::filesystem::path& working_directory,
                                  const std::optional<std::string>& override_folder);

/// The same for this process: its executable, symbolic links resolved, its working directory, and the environment
/// variable EMERGENCE_ASSETS as the override.
std::filesystem::path assets_folder();

/// The names of the presets in `assets`, sorted: the stems of presets/*.toml. Throws IoError if the folder cannot be
/// listed.
std::vector<std::string> preset_names(const std::filesystem::path& assets);

/// The file of a preset. Throws InputError, listing names, if the preset does not exist.
std::filesystem::path preset_path(const std::filesystem::path& assets, const std::string& name);

/// Holds the results for the two keys that were asked for last, usually one that stays and one that is being tried.
/// Safe on any thread, and nobody waits while a result is made.
template <class Key, class T>
class Memo {
  public:
    /// The result of `make()` for the key, or the stored one.
    template <class Make>
    std::shared_ptr<const T> get(const Key& key, const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            for (auto known = known_.begin(); known != known_.end(); ++known)
                if (known->first == key) {
                    known_.splice(known_.begin(), known_, known);
                    return known->second;
                }
        }
        std::shared_ptr<const T> made = make();
        const std::lock_guard lock(mutex_);
        known_.emplace_front(key, made);
        if (known_.size() > 2) known_.pop_back();
        return made;
    }

  private:
    std::mutex mutex_;
    std::list<std::pair<Key, std::shared_ptr<const T>>> known_;
};

}  // namespace emergence
