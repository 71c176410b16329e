#pragma once
// What `run` and `figure` are asked. Fields of experiments are still text here: they are checked against the
// experiment's own table.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/export/page_format.h"

namespace emergence::cli {

struct RunRequest {
    bool is_figure = false;
    std::string name;                  // of the experiment or the figure, or a file that says which (and, unless
                                       // something is changed, up to which step)
    std::vector<std::string> runs;     // of a figure file: the folders of saved ones
    std::vector<std::string> changes;  // "field=value"
    std::optional<std::string> seeds;
    std::optional<int> threads;
    std::optional<std::string> out;
    std::optional<std::string> preset;
    std::optional<std::string> config;
    std::optional<int> autosave;  // seconds between checkpoints; 0 for none but the last
    std::optional<int> moments;   // at most so many are saved
    Existing existing = Existing::refuse;
    bool json = false;  // the last line is the run's result
    PageFormat page = {};
    std::vector<std::filesystem::path> others = {};  // of a figure: the folders of those that it shares runs with
};

int run_run(const RunRequest& request, const Environment& environment);

}  // namespace emergence::cli
