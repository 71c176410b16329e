#pragma once
// A figure file of the user's own, beside the experiments' figures.

#include <functional>
#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace emergence::cli {

/// Whether the path is one.
bool is_own_figure(const std::string& path);

/// Calls `use` with an environment in which the file's experiment has its figure, of the file's saved runs or of those
/// in `folders`, and with the figure's name. Throws InputError, with file and line, if something in the file is wrong.
int with_own_figure(const std::string& path, const std::vector<std::string>& folders,
                    const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use);

/// The figure file that a folder of its figure has; "" if none.
std::string own_figure_in(const std::filesystem::path& folder);
/// Puts the file there, so that the figure can be resumed.
void keep_own_figure(const std::string& path, const std::filesystem::path& folder, const std::string& name);

}  // namespace emergence::cli
