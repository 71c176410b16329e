// Carries out film, which writes a saved run as a GIF.

#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/export/export.h"
#include "app/export/film.h"
#include "app/export/pixel_files.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"

namespace emergence::cli {
namespace {

struct FilmRequest {
    std::string folder;
    std::string out;
    int width = 1280, height = 720;
    int frames_per_second = 10;
    int seconds = 20;  // that the film lasts
};

// Reads "1280x720".
void read_size(const std::string& text, FilmRequest& request) {
    constexpr int kSmallest = 320, kLargest = 7680;
    const size_t by = text.find('x');
    const auto width = parsed<int>(text.substr(0, by));
    const auto height = by == std::string::npos ? std::nullopt : parsed<int>(text.substr(by + 1));
    if (!width || !height) throw InputError("--size: write WIDTHxHEIGHT, for example 1280x720");
    for (const int side : {*width, *height})
        if (side < kSmallest || side > kLargest)
            throw InputError("--size: '{}' is not a whole number from {} to {}", side, kSmallest, kLargest);
    request.width = *width;
    request.height = *height;
}

namespace fs = std::filesystem;

FilmedRun filmed_run(const RunToOpen& saved, const Environment& environment) {
    auto [pool, run, history] = RestoredRun(saved, environment.threads());
    environment.report_threads(pool.threads());
    const int64_t end = run.step();
    const std::vector<ArrayMap> last = run.save();
    std::vector<FilmMoment> moments;
    for (const SavedMoment& one : saved.checkpoint->moments) {
        if (one.step >= end || environment.stopped()) break;
        run.load(one.seeds);
        moments.push_back(film_moment(run.study(), run.snapshot(), history));
    }
    run.load(last);
    moments.push_back(film_moment(run.study(), run.snapshot(), history));
    return {*saved.experiment, usual_staging(saved.experiment->name), std::move(history), std::move(moments)};
}

int run_film(const FilmRequest& request, const Environment& environment) {
    const fs::path out = request.out;
    const RunToOpen saved = run_in(request.folder, environment.find_experiment());
    if (saved.checkpoint->moments.empty())
        throw InputError(request.folder + ": holds no saved moments. Train it with --moments, or in the window");
    const std::string config = settings_to_toml(saved.experiment->name, saved.settings);
    if (out.extension() != ".gif")
        throw InputError("--out: {} is not the name of a GIF. Write --out {}.gif", request.out, out.stem().string());
    claim_file(out, environment);
    const FilmedRun run = filmed_run(saved, environment);
    const std::vector<size_t> frames = run.plan(request.seconds * request.frames_per_second);
    GifMaker gif(request.width, request.height, fmt::format("# {}\n{}", file_mark(environment), config));
    int played = 0;  // hundredths of a second, in which a GIF counts
    LineOfProgress line(environment.err, environment.err_is_terminal, environment.err_columns);
    const Stopwatch watch;
    bool told = false;  // nothing is reported of a film of a second
    for (size_t at = 0, next = 0; at < frames.size(); at = next) {
        if (environment.stopped()) return kFailure;
        if (line.is_due(watch.seconds())) {
            line.write(fmt::format("film: {} of {} frames", at, frames.size()), false);
            told = true;
        }
        while (next < frames.size() && frames[next] == frames[at]) ++next;  // equal frames are one that lasts longer
        const auto end = static_cast<int>(std::lround(100.0 * static_cast<double>(next) / request.frames_per_second));
        gif.add(run.frame(frames[at], request.width, request.height), end - played);
        played = end;
    }
    if (told) line.write(fmt::format("film: {} frames", frames.size()), true);
    write_claimed(out, environment, gif.finished());
    if (environment.files) environment.files->push_back(out.string());
    environment.out << fmt::format("{} frames of {} x {} in {}\n", frames.size(), request.width, request.height,
                                   out.string());
    return kDone;
}

}  // namespace

Command film_command() {
    return command_of<FilmRequest>(
        "film", "Turn a saved run into a film, as GIF",
        [](Options& options, FilmRequest& request) {
            options.text("folder", "DIR", "Folder of the run", request.folder).required();
            options.out("The film to write, NAME.gif", request.out, "FILE").required();
            options.parsed("--size", "WIDTHxHEIGHT", "Frame size in pixels (default: 1280x720)",
                           [&request](const std::string& text) { read_size(text, request); });
            // Viewers show frames of less than two hundredths of a second much longer.
            options.number("--fps", "N", "Frames per second (default: 10)", 1, 50, request.frames_per_second);
            options.number("--seconds", "S", "Length of the film in seconds (default: 20)", 1, 600, request.seconds);
            options.files_as_json();
        },
        run_film, true);
}

}  // namespace emergence::cli
