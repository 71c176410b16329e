#pragma once
// The folder into which a command writes: whatever it holds already is never lost.

#include <filesystem>

#include "app/cli/commands.h"

namespace emergence::cli {

/// True if `path` does not exist, or is a folder with nothing in it but our own unfinished files.
bool is_vacant(const std::filesystem::path& path);

/// True if `folder` holds the files of a run with exactly this config.toml (settings, version and commit) and with
/// these inputs, as inputs_to_toml() writes them.
bool holds_run(const std::filesystem::path& folder, const std::string& config,
               const std::string& inputs = "");

/// Makes sure that nothing at `path` is lost when a command writes there. `same`: it holds the results of the same
/// command, which may stay unless `existing` is Existing::replace. Anything else is refused or moved to
/// PATH.old-1 (or -2, ...), with a line on standard error, as `existing` says. Throws InputError, saying what is
/// there, and IoError if it cannot be moved or another program writes there.
void claim_folder(const std::filesystem::path& path, bool same, Existing existing,
                  const Environment& environment);

/// Makes `folder` and tries to write there, before hours are spent on what could not be saved. Throws IoError.
void prepare_folder(const std::filesystem::path& folder);

/// Removes what a killed program has left of files in `folder`, which no other program may be writing.
void remove_unfinished(const std::filesystem::path& folder);

/// The folder that --out names. Throws InputError if it is empty.
std::filesystem::path folder_named(const std::string& out);

}  // namespace emergence::cli
