#pragma once
// The files that a run's settings name (weights, worlds), copied into the run's folder: a run that is
// resumed or trained again finds them even if the originals have changed or are gone.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/fields.h"

namespace emergence {

inline constexpr const char* kSweepFile = "sweep.toml";

/// The folder of the copies, inside a run's folder, and the list of them in it.
inline constexpr const char* kInputsFolder = "inputs";
inline constexpr const char* kInputsFile = "inputs.toml";

struct RunInput {
    /// The setting, and its value: the path of a file or folder, in the run's list as without_place().
    std::string field;
    std::string path;
    /// The file itself: `path`, or a file in that folder.
    std::filesystem::path file;
    /// Its copy, relative to kInputsFolder: "weights.npz", "worlds/a.toml".
    std::string copy;
    uint64_t bytes = 0;
    uint32_t crc = 0;  // ZIP's checksum: it detects change, not forgery
};

/// The files that settings with an effect name, as FieldInfo::reads says, except files in `folder`, the run's own. The
/// settings have been checked before. Throws InputError for a file that cannot be read or has more than 256 MiB.
std::vector<RunInput> inputs_of(const Settings& settings, const std::filesystem::path& folder);

/// The setting that names a file or folder inside `folder`; "" if none does.
std::string setting_inside(const Settings& settings, const std::filesystem::path& folder);

/// The list as TOML; the same inputs give the same text.
std::string inputs_to_toml(const std::vector<RunInput>& inputs);
/// The list in a run's folder; empty if it has none. `file` is the copy's path. Throws InputError.
std::vector<RunInput> read_inputs(const std::filesystem::path& folder);

/// Copies the inputs into `folder`/inputs, with the list. Does nothing without inputs. Throws IoError and InputError.
void copy_inputs(const std::vector<RunInput>& inputs, const std::filesystem::path& folder);

/// Shows settings that lead to files in `folder`, the run's own, relative to it: ".", "./data.npz".
void show_inside(const std::filesystem::path& folder, Settings& settings);

/// Makes settings of the run in `folder` lead to its own files, and to its copies where an original has changed or is
/// gone. Returns a sentence for each copy. Throws InputError if the folder's list is damaged.
std::vector<std::string> use_copied_inputs(const std::filesystem::path& folder, Settings& settings);

/// Throws InputError if `folder`, or a folder in it that Emergence uses, holds a symbolic link out of `folder`, or
/// something that is neither a file nor a folder: a pipe, a device. `folder` itself may be a link. Does nothing if it
/// does not exist.
void refuse_links_out(const std::filesystem::path& folder);

// How the files of a folder were made: commands, versions, machine and times. This is in a file of its own, because all
// other files of a folder have the same bytes wherever and whenever they are made.

inline constexpr const char* kProvenanceFile = "provenance.toml";

/// One call of a program that wrote into the folder. A run that was resumed has several.
struct ProvenanceSession {
    /// As typed, quoted for a shell where necessary; written with the last names of paths that name a place.
    std::string command;
    /// The time of its start, "2026-11-22 22:15:03 +0000".
    std::string started;
    int threads = 1;
    int64_t from_step = 0;
    /// For a run: the seconds between checkpoints, and the number of saved moments. Resuming uses the same.
    std::optional<double> autosave = {};
    std::optional<int> moments = {};
    /// For a figure of several runs: a hash of their settings, which tells whether those were edited since.
    std::string settings = {};
    /// The page of its pictures: width ("3.4in") and dots per inch, if they were asked for, whether there are captions,
    /// and which plots are pictures of their own. Pictures are drawn again in this way.
    std::string width = {};
    std::optional<int> dots_per_inch = {};
    bool caption = true;
    std::vector<std::string> stage = {};
    /// Absent until the session ends, so a session without them was killed.
    std::optional<int64_t> to_step = {};
    std::optional<double> seconds = {};
    std::optional<double> cpu_seconds = {};
};

/// Writes a folder's provenance: the sessions that it already holds, if `resumed`, and one more.
class Provenance {
  public:
    Provenance(const std::filesystem::path& folder, bool resumed);
    /// Replaces the file, with this program's version and commit, and this machine's processor and instruction set.
    /// Throws IoError.
    void write(const ProvenanceSession& session) const;

  private:
    std::filesystem::path file_;
    std::string before_;
};

/// The known options of a folder's last session: `autosave`, `moments`, the page and `stage`.
ProvenanceSession last_session_in(const std::filesystem::path& folder);

/// True if the text may be the beginning of such a file; an empty text may.
bool is_provenance(std::string_view text);

/// The processor's name, "AMD EPYC 7B13"; "unknown" if the system does not tell.
std::string processor_name();

}  // namespace emergence
