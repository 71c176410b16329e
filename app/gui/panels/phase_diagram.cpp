// The phase diagram's model: what is put together, where it is kept, and what comes of it.
#include "app/gui/panels/phase_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/assets.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// Files of sweeps in a folder, or in the folders in it, by title.
std::vector<std::pair<std::string, fs::path>> sweeps_in(const fs::path& folder, const FindExperiment& find) {
    std::vector<std::pair<std::string, fs::path>> found;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) try {
            const auto file = sweep_file_at(entry.path());
            if (!file) continue;
            const std::string title = read_sweep(*file, find).sweep.title;
            found.emplace_back(title, entry.path());
        } catch (const std::exception&) {
            // One that cannot be read is not offered.
        }
    std::sort(found.begin(), found.end());
    return found;
}

bool same_but_for_places(const Sweep& a, const Sweep& b) {
    return a.experiment == b.experiment && a.score == b.score && a.settings == b.settings;
}

}  // namespace

void PhaseDiagram::use(fs::path folder, FindExperiment find) {
    home_ = std::move(folder);
    find_ = std::move(find);
}

void PhaseDiagram::open(const Session& session) {
    open_ = raise_ = true;
    list_sources();
    if (draft_.experiment == nullptr) begin_around(session);
}

void PhaseDiagram::begin_around(const Session& session) {
    draft_ = draft_around(session.info(), session.settings());
    folder_.clear();
    origin_.reset();
    settle();
}

void PhaseDiagram::list_sources() {
    try {
        presets_ = sweeps_in(assets_folder() / "sweeps", find_);
    } catch (const std::exception&) {
        presets_.clear();  // without assets there are none
    }
    results_ = sweeps_in(home_, find_);
}

void PhaseDiagram::open_sweep(const fs::path& path) {
    const auto file = sweep_file_at(path);
    if (!file) throw InputError(fmt::format("{}: is no sweep and holds none", path.string()));
    const Sweep sweep = read_sweep(*file, find_).sweep;
    std::error_code ignored;
    take(sweep, fs::is_directory(path, ignored) ? path : fs::path());
    open_ = raise_ = true;
    list_sources();
}

void PhaseDiagram::take(const Sweep& sweep, fs::path folder) {
    draft_ = draft_of(sweep);
    folder_ = std::move(folder);
    origin_.reset();
    if (!folder_.empty()) origin_ = sweep;
    settle();
}

// What is typed is looked at again. More places or seeds of the same go on in the same folder.
void PhaseDiagram::settle() {
    try {
        sweep_ = sweep_of(draft_);
        problem_.clear();
    } catch (const InputError& error) {
        sweep_.reset();
        problem_ = error.what();
        return;
    }
    news_ = {};
    built_from_.reset();
    if (origin_ && !same_but_for_places(*origin_, sweep_->sweep)) {
        origin_.reset();
        folder_.clear();
    }
    if (!folder_.empty()) worker_.follow(folder_, sweep_->sweep);
    rebuild();
    look_for_scores();
}

void PhaseDiagram::start(Session& session) {
    if (!sweep_ || worker_.running()) return;
    std::error_code ignored;
    if (folder_.empty()) {
        const fs::path first = home_ / folder_name(draft_);
        folder_ = first;
        for (int i = 2; fs::exists(folder_, ignored); ++i) folder_ = fmt::format("{}-{}", first.string(), i);
    }
    origin_ = sweep_->sweep;
    if (pauses_ && session.wants_to_run()) session.toggle_running();
    worker_.start(folder_, *sweep_, threads_ > 0 ? threads_ : session.threads(), find_);
}

void PhaseDiagram::take_news() {
    if (!sweep_ || folder_.empty()) return;
    news_ = worker_.news();
    if (news_.scores != built_from_) rebuild();
}

void PhaseDiagram::rebuild() {
    built_from_ = news_.scores;
    static const SweepScores none;
    figure_ = sweep_figure(sweep_->sweep, news_.scores ? *news_.scores : none);
    map_state_.invalidate();
    plot_state_.invalidate();
}

// Which scores there are takes a seed that is made and described: on a thread of its own.
void PhaseDiagram::look_for_scores() {
    if (scores_of_ == draft_.experiment->name || coming_scores_.valid()) return;
    scores_of_ = draft_.experiment->name;
    scores_.clear();
    Settings settings = sweep_->sweep.settings;
    if (settings.has("seeds")) settings.set("seeds", int64_t{1});
    coming_scores_ = std::async(std::launch::async, [info = draft_.experiment, settings] {
        try {
            return scores_of(*info, settings);
        } catch (const std::exception&) {
            return std::vector<ScoreInfo>();  // what is wrong, computing says
        }
    });
}

void PhaseDiagram::open_cell(const SweepCell& cell, Session& session, Toasts& toasts) {
    const Sweep& sweep = sweep_->sweep;
    close();
    try {
        session.load(*sweep.experiment, settings_of(sweep, cell));
        toasts.add("Opened the cell " + cell_label(sweep, cell));
    } catch (const InputError& error) {
        session.report(error.what());
    }
}

}  // namespace emergence
