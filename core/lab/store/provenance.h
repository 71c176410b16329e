#pragma once
// How the files of a folder came to be: commands, versions, machine and times. It is a file of its own, because every
// other file of a folder has the same bytes wherever and whenever it is made.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

inline constexpr const char* kProvenanceFile = "provenance.toml";

/// One call of a program that wrote into the folder. A run that was resumed has several.
struct ProvenanceSession {
    /// As typed, quoted for a shell where necessary; written with the last names of paths that name a place.
    std::string command;
    /// The time of its start, "2026-11-22 22:15:03 +0000".
    std::string started;
    int threads = 1;
    int64_t from_step = 0;
    /// Of a run: seconds between checkpoints, and how many moments are saved. It is resumed so.
    std::optional<double> autosave = {};
    std::optional<int> moments = {};
    /// Of a figure of several runs: what they are made of, as a number that tells whether it was edited since.
    std::string settings = {};
    /// The page of its pictures: width ("3.4in") and dots per inch, if they were asked for, and whether they have captions;
    /// and the plots that are pictures of their own. They are drawn again so.
    std::string width = {};
    std::optional<int> dots_per_inch = {};
    bool caption = true;
    std::vector<std::string> stage = {};
    /// Absent until the session ends: a session without them was killed.
    std::optional<int64_t> to_step = {};
    std::optional<double> seconds = {};
    std::optional<double> cpu_seconds = {};
};

/// The session as a TOML table [[session]], with this program's version and commit, and this machine's processor and
/// instruction set.
std::string session_to_toml(const ProvenanceSession& session);

/// Writes a folder's provenance: the sessions that it already holds, and one more.
class Provenance {
  public:
    /// Remembers what the folder holds. `resumed`: false drops it.
    Provenance(const std::filesystem::path& folder, bool resumed);
    /// Replaces the file. Throws IoError.
    void write(const ProvenanceSession& session) const;

  private:
    std::filesystem::path file_;
    std::string before_;
};

/// What the last session of a folder was asked for: `autosave`, `moments`, the page and `stage`, as far as they are known.
ProvenanceSession last_session_in(const std::filesystem::path& folder);

/// Whether this is the beginning of such a file, which may be empty.
bool is_provenance(std::string_view text);

/// The processor's name, "AMD EPYC 7B13"; "unknown" if the system does not tell.
std::string processor_name();

}  // namespace emergence
