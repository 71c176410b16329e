#pragma once
// The many figures of `figure all` and `reproduce`: each in its folder, divided among any number of processes.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace emergence::cli {

struct RoundFigure {
    std::string name;
    /// A single run, which one process trains; other figures are grids of jobs that all processes divide.
    bool one_run = true;
};

/// Where in `folder` the figures are whose runs others may take. None for a program that is at no commit, which cannot
/// tell what it made before its last change.
std::vector<std::filesystem::path> sharing_folders(const std::filesystem::path& folder,
                                                   const std::vector<RoundFigure>& figures);

/// Makes the figures, in order; then again those that were left to other processes, until all are made or the user
/// stops. `make(i, takes_over)` makes one without waiting for other processes, and returns an exit code or kElsewhere;
/// takes_over: its single run was that of a lost process. A process of a group leaves out what another has made, for
/// the same arguments, version and commit. `folder` exists.
void make_in_rounds(const std::filesystem::path& folder, const std::vector<RoundFigure>& figures,
                    const std::function<int(size_t, bool takes_over)>& make, const Environment& environment);

/// Writes the command's arguments into `folder`, for `resume`. Throws IoError.
void write_command(const std::filesystem::path& folder, const Environment& environment);
/// True if write_command() has written there.
bool holds_command(const std::filesystem::path& folder);
/// The arguments that the folder holds. Throws InputError.
std::vector<std::string> command_in(const std::filesystem::path& folder);

}  // namespace emergence::cli
