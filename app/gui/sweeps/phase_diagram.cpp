// The model of the sweep sheet: what is put together, where it is stored, and its results.
#include "app/gui/sweeps/phase_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/gui/shell/clock.h"
#include "core/base/error.h"
#include "core/files/folders.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// The sweeps of a folder and of its subfolders, by title.
std::vector<std::pair<std::string, fs::path>> sweeps_in(const fs::path& folder, const FindExperiment& find) {
    std::vector<std::pair<std::string, fs::path>> found;
    for (const fs::path& path : entries_in(folder)) try {
            const auto file = sweep_file_at(path);
            if (!file) continue;
            const std::string title = read_sweep(*file, find).sweep.title;
            found.emplace_back(title, path);
        } catch (const std::exception&) {
            // Unreadable files are not offered.
        }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

void PhaseDiagram::use(fs::path folder, FindExperiment find) {
    home_ = std::move(folder);
    find_ = std::move(find);
}

void PhaseDiagram::open(const Session& session) {
    show();
    list_sources();
    if (draft_.experiment == nullptr) begin_around(session);
}

void PhaseDiagram::begin_around(const Session& session) {
    take(draft_around(session.info(), session.settings()), {}, {});
}

void PhaseDiagram::list_sources() {
    try {
        presets_ = sweeps_in(assets_folder() / "sweeps", find_);
    } catch (const std::exception&) {
        presets_.clear();  // without assets there are no presets
    }
    results_ = sweeps_in(home_, find_);
}

void PhaseDiagram::open_sweep(const fs::path& path) {
    const auto file = sweep_file_at(path);
    if (!file) throw InputError("{}: is no sweep and holds none", path.string());
    const Sweep sweep = read_sweep(*file, find_).sweep;
    // Results beside a shipped sweep are shown but never written to.
    const bool is_folder = *file != path && file->filename() == kSweepFile;
    take(draft_of(sweep), is_folder ? path : "", is_folder ? "" : results_beside(*file, sweep, find_).value_or(""));
    show();
    list_sources();
}

void PhaseDiagram::take(SweepDraft draft, fs::path folder, fs::path shown_from) {
    draft_ = std::move(draft);
    folder_ = std::move(folder);
    shown_from_ = std::move(shown_from);
    origin_.reset();
    if (!source().empty()) origin_ = draft_;
    settle();
}

// Checks the typed sweep again. More values or seeds of the same sweep continue in the same folder.
void PhaseDiagram::settle() {
    name_score();
    try {
        sweep_ = sweep_of(draft_);
        problem_.clear();
    } catch (const std::runtime_error& error) {
        sweep_.reset();
        problem_ = error.what();
        return;
    }
    news_ = {};
    built_from_.reset();
    if (origin_ && !same_but_for_places(*origin_, sweep_->sweep)) {
        origin_.reset();
        folder_.clear();
        shown_from_.clear();
    }
    if (!source().empty()) worker_.follow(source(), sweep_->sweep);
    rebuild();
    look_for_scores();
}

void PhaseDiagram::start(const Session& session) {
    if (!sweep_ || worker_.running()) return;
    SweepWorker::Order order;
    if (folder_.empty()) {
        // A complete shipped sweep is computed anew; a sweep that extends one reuses its cells.
        if (news_.scores && count_whole(sweep_->sweep, *news_.scores) < sweep_->sweep.cells())
            order.known_from = shown_from_;
        folder_ = free_path(home_ / folder_name(sweep_->sweep));
    }
    origin_ = sweep_->sweep;
    order.folder = folder_;
    order.sweep = *sweep_;
    order.threads = session.threads();
    worker_.start(std::move(order), find_);
    started_at_ = seconds_now();
}

void PhaseDiagram::take_news() {
    if (!sweep_ || source().empty()) return;
    news_ = worker_.news();
    if (news_.scores != built_from_) rebuild();
}

void PhaseDiagram::rebuild() {
    built_from_ = news_.scores;
    static const SweepScores none;
    figure_ = sweep_figure(sweep_->sweep, news_.scores ? *news_.scores : none, shown_score());
    map_state_.invalidate();
    plot_state_.invalidate();
}

// The scores are known once one seed has been made and described.
void PhaseDiagram::look_for_scores() {
    Settings settings = sweep_->sweep.settings;
    settings.set(FieldRole::seed_count, int64_t{1});
    if (coming_scores_.active() || (offer_of_ == draft_.experiment && offer_with_ == settings)) return;
    if (offer_of_ != draft_.experiment) offer_ = {};
    offer_of_ = draft_.experiment;
    offer_with_ = settings;
    const auto look = [info = draft_.experiment, settings](const Jobs::Task&) {
        Offer offer;
        try {
            const std::unique_ptr<Study> study = info->make(settings);
            offer.target_step = study->target_step();
            offer.step_unit = study->step_unit();
            offer.scores = scores_of(*info, settings);
        } catch (const std::exception&) {
            // Computing will report the fault.
        }
        return offer;
    };
    coming_scores_ = jobs_.post(Lane::scores, look, [this](Offer offer) { take_offer(std::move(offer)); });
}

void PhaseDiagram::take_offer(Offer offer) {
    offer_ = std::move(offer);
    if (draft_.score.empty() && !offer_.scores.empty()) {
        draft_.score = offer_.scores.front().name;
        settle();
        return;
    }
    name_score();
    if (!sweep_) return;
    try {
        sweep_ = sweep_of(draft_);  // the title may name the score
    } catch (const std::runtime_error&) {
        return;  // the user is still typing
    }
    rebuild();
    look_for_scores();  // the user may have chosen another experiment meanwhile
}

// Pictures use the score's label; files use its name.
void PhaseDiagram::name_score() {
    draft_.score_label.clear();
    if (offer_of_ != draft_.experiment) return;
    for (const ScoreInfo& score : offer_.scores)
        if (score.name == draft_.score) draft_.score_label = score.label;
}

ScoreInfo PhaseDiagram::shown_score() const {
    static const std::vector<ScoreInfo> none;
    return score_of(sweep_->sweep, offer_of_ == sweep_->sweep.experiment ? offer_.scores : none);
}

}  // namespace emergence
