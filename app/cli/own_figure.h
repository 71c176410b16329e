#pragma once
// A figure file of the user's own on the command line.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace emergence::cli {

/// Calls `use` with an environment in which the file's experiment has its figure, and with the figure's name. `folders`:
/// see own_figure_at(). Throws what it throws.
int with_own_figure(const std::filesystem::path& path, const std::vector<std::string>& folders,
                    const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use);

/// The figure file that a folder of its figure has; "" if none.
std::filesystem::path own_figure_in(const std::filesystem::path& folder);
/// Puts the file there, so that the figure can be resumed.
void keep_own_figure(const std::filesystem::path& path, const std::filesystem::path& folder, const std::string& name);

}  // namespace emergence::cli
