#include "app/cli/figure_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "app/cli/process_group.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/lab/jobs/job_folder.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCommandFile = "command.toml";

// Makes one figure, unless another process makes it or has made it.
int make_one(const RoundFigure& figure, JobFolder& jobs, const std::function<int(bool)>& make) {
    const bool alone = process_group().size == 1;
    if (!alone && jobs.load(figure.name)) return kDone;
    if (figure.one_run && !jobs.owners().take(figure.name)) return kElsewhere;
    int code = kFailure;
    try {
        code = make(figure.one_run && jobs.owners().is_taken_over(figure.name));
    } catch (...) {
        jobs.owners().release(figure.name);
        throw;
    }
    if (code != kElsewhere && !alone) jobs.save(figure.name, {}, 0.0);
    jobs.owners().release(figure.name);
    return code;
}

}  // namespace

std::vector<fs::path> sharing_folders(const fs::path& folder, const std::vector<RoundFigure>& figures) {
    std::vector<fs::path> folders;
    if (commit().empty()) return folders;
    for (const RoundFigure& figure : figures) folders.push_back(folder / figure.name);
    return folders;
}

void make_in_rounds(const fs::path& folder, const std::vector<RoundFigure>& figures,
                    const std::function<int(size_t, bool)>& make, const Environment& environment) {
    JobFolder jobs(folder, fmt::format("{}\n{}", version_with_commit(), fmt::join(environment.arguments, "\n")));
    std::vector<bool> made(figures.size(), false);
    constexpr std::chrono::milliseconds kPause{1000};
    for (bool said = false; true;) {
        bool any = false;
        for (size_t i = 0; i < figures.size() && !environment.stopped(); ++i) {
            if (made[i] ||
                make_one(figures[i], jobs, [&](bool takes_over) { return make(i, takes_over); }) == kElsewhere)
                continue;
            made[i] = any = true;
        }
        if (environment.stopped() || std::find(made.begin(), made.end(), false) == made.end()) return;
        if (any) continue;
        if (!std::exchange(said, true))
            environment.err << "emergence-cli: waiting for other processes, which make the figures that are missing\n"
                            << std::flush;
        std::this_thread::sleep_for(kPause);
    }
}

void write_command(const fs::path& folder, const Environment& environment) {
    write_file(folder / kCommandFile,
               std::string_view(fmt::format("# The command that resume repeats here.\narguments = [{}]\n",
                                            listed(environment.arguments, quoted_toml))));
}

bool holds_command(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / kCommandFile, ignored);
}

std::vector<std::string> command_in(const fs::path& folder) {
    const fs::path file = folder / kCommandFile;
    std::vector<std::string> words;
    const toml::table table = read_toml(file);
    if (const toml::array* arguments = table["arguments"].as_array())
        for (const auto& word : *arguments)
            if (const auto* found = word.as_string()) words.push_back(found->get());
    if (words.empty()) throw InputError(fmt::format("{}: holds no arguments", file.string()));
    return words;
}

}  // namespace emergence::cli
