#include "app/gui/session/followed_run.h"

#include <exception>
#include <utility>

namespace emergence {
namespace {

// The run's settings with what applies live as it is set now.
Settings with_live_fields(Settings of_run, const Settings& now) {
    for (const FieldInfo& field : of_run.fields())
        if (field.applies == Applies::live && now.has(field.name)) of_run.set(field.name, now.value(field.name));
    return of_run;
}

}  // namespace

FollowedRun::FollowedRun(std::unique_ptr<TrainerLink> link, Jobs& jobs, Lane lane)
    : link_(std::move(link)), jobs_(jobs), lane_(lane) {}

void FollowedRun::begin_run(const Published& published) {
    run_number_ = published.run_number;
    study_ = published.study;
    history_ = MetricHistory(study_->metrics(), study_->num_seeds());
    moments_.clear();
    saved_.reset();
    show_live();
}

// Of a run that came and went between two polls nothing was seen.
void FollowedRun::keep_left(const LeftRun& left) {
    if (left.saved->moment.run_number != run_number_) return;
    for (const std::vector<MetricRow>& rows : left.rows)
        for (const MetricRow& row : rows) history_.append(row);
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

// Of many questions asked while somebody drags, the last one counts.
void FollowedRun::evaluate(Moment moment, Settings settings) {
    evaluation_.withdraw();
    evaluation_ = jobs_.post(
        lane_,
        [study = study_, of = std::move(moment), with = std::move(settings)](const Jobs::Task&) -> Moment {
            try {
                return std::make_shared<const Snapshot>(study->inspect(*of, {"evaluate", with}));
            } catch (const std::exception&) {  // its matrices and curves can be shown all the same
                return of;
            }
        },
        [into = evaluated_](Moment evaluated) { *into = std::move(evaluated); });
}

void FollowedRun::show_exactly(Moment moment) {
    asked_settings_ = moment->settings;
    asked_step_ = moment->step;
    past_ = std::move(moment);
}

void FollowedRun::show_live() {
    past_.reset();
    asked_settings_.reset();
}

}  // namespace emergence
