#include "app/gui/session/followed_run.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <iterator>
#include <utility>

#include "app/open/run_folder.h"
#include "core/base/ranges.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/settings/toml.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

fs::path last_parts(const fs::path& path, size_t count) {
    const std::vector<fs::path> parts(path.begin(), path.end());
    fs::path tail;
    for (size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i) tail /= parts[i];
    return tail;
}

// The run's settings with the present values of all live fields.
Settings with_live_fields(Settings of_run, const Settings& now) {
    for (const FieldInfo& field : of_run.fields())
        if (field.applies == Applies::live && now.has(field.name)) of_run.set(field.name, now.value(field.name));
    return of_run;
}

}  // namespace

std::shared_ptr<const Snapshot> evaluated(const Study& study, const std::shared_ptr<const Snapshot>& moment,
                                          const Settings& settings) {
    if (moment->evaluated && moment->settings == settings) return moment;
    try {
        return std::make_shared<const Snapshot>(study.inspect(*moment, {"evaluate", settings}));
    } catch (const std::exception&) {  // its matrices and curves can still be shown
        return moment;
    }
}

LiveTrainer::LiveTrainer(const Restart& first, const Trainer::Options& options) {
    const auto start = [&] {
        constexpr int kNice = 5;
        // On Linux the priority belongs to this thread, and threads that it starts inherit it.
        if (options.own_thread) ::setpriority(PRIO_PROCESS, 0, kNice);
        trainer_ = std::make_unique<Trainer>(first, options);
    };
    std::async(options.own_thread ? std::launch::async : std::launch::deferred, start).get();
}

std::vector<std::string> names_apart(const std::vector<fs::path>& folders) {
    std::vector<std::string> names;
    for (const fs::path& folder : folders) {
        const auto parts = static_cast<size_t>(std::distance(folder.begin(), folder.end()));
        size_t count = 1;
        while (count < parts && any_of(folders, [&](const fs::path& other) {
                   return other != folder && last_parts(other, count) == last_parts(folder, count);
               }))
            ++count;
        names.push_back(last_parts(folder, count).string());
    }
    return names;
}

std::shared_ptr<const OverlaidRun> overlaid_run(const std::filesystem::path& folder, const FindExperiment& find) {
    RestoredRun restored(run_in(folder, find));
    return std::make_shared<const OverlaidRun>(OverlaidRun{folder, folder.filename().string(),
                                                           restored.run.shared_study(), std::move(restored.history),
                                                           std::make_shared<const Snapshot>(restored.run.snapshot())});
}

std::shared_ptr<const Checkpoint> checkpoint_of(const SavedRun& saved, const MetricHistory& history) {
    const SavedState& state = saved.state;
    Checkpoint checkpoint;
    checkpoint.settings = parse_settings(
        settings_to_toml(state.experiment, state.settings, {.figure = "", .step = state.step, .with_places = true}),
        "the run");
    checkpoint.seeds = state.seeds;
    checkpoint.seconds = state.seconds;
    checkpoint.emerged = state.emerged;
    checkpoint.moments = saved.moments;
    for (const MetricInfo& metric : history.table()) checkpoint.metrics.push_back(metric.name);
    for (int seed = 0; seed < history.num_seeds(); ++seed) {
        for (size_t i = 0; i < history.steps().size(); ++i) {
            MetricRow row{seed, static_cast<int64_t>(history.steps()[i]), {}};
            if (row.step > state.step) break;
            for (const MetricInfo& metric : history.table()) row.values.push_back(history.column(metric.name, seed)[i]);
            checkpoint.rows.push_back(std::move(row));
        }
    }
    return std::make_shared<const Checkpoint>(std::move(checkpoint));
}

FollowedRun::FollowedRun(std::unique_ptr<TrainerLink> link, Jobs& jobs, Lane lane)
    : link_(std::move(link)), jobs_(jobs), lane_(lane) {}

void FollowedRun::begin_run(const Published& published) {
    run_number_ = published.run_number;
    study_ = published.study;
    history_ = MetricHistory(study_->metrics(), study_->num_seeds());
    moments_ = SnapshotHistory();
    saved_.reset();
    show_live();
}

// The session saw nothing of a run that came and went between two polls.
void FollowedRun::keep_left(const LeftRun& left) {
    if (left.saved->moment.run_number != run_number_) return;
    for (const MetricRow& row : left.rows) history_.append(row);
    left_.push_back({left.saved, history_, left.moments});
}

bool FollowedRun::update() {
    Published published = link_->poll();
    for (const LeftRun& left : published.left) keep_left(left);
    const bool fresh = published.study && published.run_number != run_number_;
    if (fresh) begin_run(published);
    for (const MetricRow& row : published.rows) history_.append(row);
    if (published.saved) saved_ = std::move(published.saved);
    if (published.moments) moments_ = *published.moments;
    const bool news = fresh || !published.rows.empty() || published.snapshot;
    if (published.snapshot) {
        live_ = std::move(published.snapshot);
        moments_.add(live_);
    }
    Moment evaluated = std::exchange(*evaluated_, nullptr);
    const bool wanted =
        evaluated && asked_settings_ && evaluated->run_number == run_number_ && evaluated->step == asked_step_;
    if (wanted) past_ = std::move(evaluated);
    return news || wanted;
}

bool FollowedRun::at_end() const {
    return live_ && live_->run_number == run_number_ &&
           (live_->status.state == RunState::finished || live_->status.state == RunState::failed);
}

void FollowedRun::show(int64_t step, const Settings& settings) {
    const Moment moment = moments_.nearest(step);
    if (!moment) return;
    Settings wanted = with_live_fields(moment->settings, settings);
    if (asked_settings_ && asked_step_ == moment->step && *asked_settings_ == wanted) return;
    asked_settings_ = wanted;
    asked_step_ = moment->step;
    if (moment->evaluated && moment->settings == wanted)
        past_ = moment;
    else
        evaluate(moment, std::move(wanted));
}

// Only the last request counts while somebody drags.
void FollowedRun::evaluate(Moment moment, Settings settings) {
    evaluation_.withdraw();
    evaluation_ = jobs_.post(
        lane_,
        [study = study_, of = std::move(moment), with = std::move(settings)](const Jobs::Task&) -> Moment {
            return evaluated(*study, of, with);
        },
        [into = evaluated_](Moment evaluated) { *into = std::move(evaluated); });
}

void FollowedRun::show_live() {
    past_.reset();
    asked_settings_.reset();
}

namespace {

const MetricPlane* plane_with_marks(const Study* study) {
    if (study == nullptr) return nullptr;
    for (const MetricPlot& plot : study->metric_plots())
        if (plot.plane && plot.plane->marks) return &*plot.plane;
    return nullptr;
}

}  // namespace

std::shared_ptr<const PlaneMarks> FollowedRun::marks() const {
    const MetricPlane* plane = plane_with_marks(study_.get());
    const auto known = plane != nullptr ? marks_->find(plane->marks_key) : marks_->end();
    return known != marks_->end() ? known->second : nullptr;
}

bool FollowedRun::lacks_marks() const { return plane_with_marks(study_.get()) != nullptr && !marks(); }

void FollowedRun::compute_marks() {
    if (!lacks_marks() || marking_.active()) return;
    const MetricPlane* plane = plane_with_marks(study_.get());
    marking_ = jobs_.post(
        Lane::marks, [make = plane->marks](const Jobs::Task&) { return std::make_shared<const PlaneMarks>(make()); },
        [into = marks_, key = plane->marks_key](auto made) { (*into)[key] = std::move(made); });
}

}  // namespace emergence
