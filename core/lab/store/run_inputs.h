#pragma once
// The files that a run's settings name (weights, worlds), copied into the run's folder: a run that is
// resumed or trained again finds them even if the originals have changed or are gone.

#include <filesystem>

#include "core/settings/fields.h"

namespace emergence {

/// The file of a sweep in its folder.
inline constexpr const char* kSweepFile = "sweep.toml";
/// The folder of the cells' weights, if the sweep saves them: of each cell what a run with its settings leaves as
/// weights.npz.
inline constexpr const char* kCellWeightsFolder = "weights";

/// The folder of the copies, inside a run's folder, and the list of them in it.
inline constexpr const char* kInputsFolder = "inputs";
inline constexpr const char* kInputsFile = "inputs.toml";

struct RunInput {
    /// The setting, and its value: the path of a file or a folder; as the run's list has it, without_place().
    std::string field;
    std::string path;
    /// The file itself: `path`, or a file in that folder.
    std::filesystem::path file;
    /// Its copy, relative to kInputsFolder: "weights.npz", "worlds/a.toml".
    std::string copy;
    uint64_t bytes = 0;
    /// ZIP's checksum: it detects change, not forgery.
    uint32_t crc = 0;
};

/// The inputs that the settings name: what FieldInfo::reads says of those that have an effect, once their values have
/// been checked to be such files. Files in `folder`, the run's own, are not among them. Throws InputError for a file that cannot be read or has more than 256 MiB.
std::vector<RunInput> inputs_of(const Settings& settings, const std::filesystem::path& folder);

/// The setting that names a file or folder inside `folder`; "" if none does.
std::string setting_inside(const Settings& settings, const std::filesystem::path& folder);

/// The list as TOML; the same inputs give the same text.
std::string inputs_to_toml(const std::vector<RunInput>& inputs);
/// The list in a run's folder; none if it holds none. `file` is the copy's path. Throws InputError.
std::vector<RunInput> read_inputs(const std::filesystem::path& folder);

/// Copies the inputs into `folder`/inputs, with the list. Does nothing without inputs. Throws IoError and InputError.
void copy_inputs(const std::vector<RunInput>& inputs, const std::filesystem::path& folder);

/// Settings that lead to files in `folder`, the run's own, are shown relative to it: ".", "./data.npz".
void show_inside(const std::filesystem::path& folder, Settings& settings);

/// Settings of the run in `folder` lead to its own files, and to its copies where an original has changed or is gone. Returns a sentence for
/// each. Throws InputError if the folder's list is damaged.
std::vector<std::string> use_copied_inputs(const std::filesystem::path& folder, Settings& settings);

/// Throws InputError if `folder`, or one in it that Emergence uses, holds a symbolic link that leads out of `folder`, or
/// what is neither a file nor a folder: a pipe, a device. `folder` itself may be a link. Does nothing if it does not exist.
void refuse_links_out(const std::filesystem::path& folder);

}  // namespace emergence
