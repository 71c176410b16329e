#pragma once
// Looks after the output folder of a command. Nothing that it already holds is ever lost.

#include <filesystem>
#include <functional>

#include "app/cli/commands.h"
#include "core/files/folders.h"

namespace emergence::cli {

/// True if `path` does not exist, or is a folder with nothing in it but our own unfinished files.
bool is_vacant(const std::filesystem::path& path);

/// True if `folder` holds the files of a run with exactly this config.toml (settings, version and commit) and with
/// these inputs, as inputs_to_toml() writes them, or no more than the beginning of such a run.
bool holds_run(const std::filesystem::path& folder, const std::string& config, const std::string& inputs = "");
/// True if a command ended in `folder` before it wrote anything that a later one could not write again.
bool holds_only_a_start(const std::filesystem::path& folder);

/// Makes sure that nothing at `path` is lost when a command writes there, and that it writes nowhere else through
/// links. `same` says that the folder holds the results of the same command, which may stay without --force. Anything
/// else is refused. With --force it is replaced if Emergence wrote all of it. Throws InputError, saying what is there,
/// and IoError if it cannot be replaced or another program writes there. With --dry-run it says what would become of
/// the folder, and throws DryRunEnds.
void claim_folder(const std::filesystem::path& path, bool same, const Environment& environment);
/// Does the same for a command that writes one file, which replaces an old one at its end. A file that begins with the
/// command's mark is its own. Throws IoError if no file can be written there.
void claim_file(const std::filesystem::path& file, const Environment& environment);
/// The words near a file's beginning that name the command that wrote it.
std::string file_mark(const Environment& environment);
/// Writes the file, unless another command has written there since it was claimed.
void write_claimed(const std::filesystem::path& file, const Environment& environment, std::string_view bytes);

/// Makes `folder`, removes what killed programs have left of files, and tries to write there, before hours are spent on
/// what could not be saved. Throws IoError.
void prepare_folder(const std::filesystem::path& folder);

/// Locks a folder that was claimed and prepared. Throws IoError if another program holds it, and InputError if another
/// command has begun to write there meanwhile, so that its content is not `is_ours`.
FolderLock enter_folder(const std::filesystem::path& folder, const std::function<bool()>& is_ours);

/// Claims, prepares and locks the folder of a command that writes all its files at its end. The same command may write
/// there again after a kill or a full disk.
FolderLock begin_in(const std::filesystem::path& folder, const Environment& environment);

/// Returns the folder that --out names. Throws InputError if it is empty, or a name that cannot be written everywhere.
std::filesystem::path folder_named(const std::string& out);

}  // namespace emergence::cli
