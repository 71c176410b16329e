#include "app/gui/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"

namespace emergence {
namespace {

// An experiment that draws random numbers names its first seed and their number so.
constexpr const char* kSeedField = "seed";
constexpr size_t kMostNotices = 4;

}  // namespace

const std::vector<double>& pace_ladder() {
    static const std::vector<double> ladder = {1,   2,   5,    10,   25,   50,    100,
                                               250, 500, 1000, 2500, 5000, 10000, 0};
    return ladder;
}

int pace_rung(double steps_per_second) {
    const std::vector<double>& ladder = pace_ladder();
    const int last = static_cast<int>(ladder.size()) - 1;
    if (!(steps_per_second > 0.0)) return last;
    int best = 0;
    for (int i = 1; i < last; ++i) {
        const auto distance = [&](int rung) {
            return std::abs(std::log(ladder[static_cast<size_t>(rung)] / steps_per_second));
        };
        if (distance(i) < distance(best)) best = i;
    }
    return best;
}

Session::Session(const ExperimentInfo& info, Settings settings, std::unique_ptr<TrainerLink> link,
                 Options options)
    : setup_{&info, std::move(settings), std::nullopt},
      link_(std::move(link)),
      pace_(options.steps_per_second),
      running_(options.running),
      threads_(options.threads) {}

bool Session::update() {
    bool news = false;
    for (const Notice& notice : link_->take_notices()) {
        report(notice.text);
        news = true;
    }
    Published published = link_->poll();
    if (published.study && published.run_number != run_number_) {
        run_number_ = published.run_number;
        study_ = published.study;
        history_ = MetricHistory(study_->metrics(), study_->num_seeds());
        failures_.clear();
        failures_seen_ = false;
        news = true;
    }
    for (const MetricRow& row : published.rows) history_.append(row);
    news = news || !published.rows.empty();
    if (published.snapshot) {
        snapshot_ = std::move(published.snapshot);
        moments_.add(snapshot_);
        note_failures();
        news = true;
    }
    return news;
}

void Session::note_failures() {
    std::string text;
    int failed = 0;
    for (const SeedStatus& seed : snapshot_->seeds)
        if (seed.failed) {
            ++failed;
            if (failed == 1) text = "seed " + std::to_string(seed.seed) + ": " + seed.reason;
        }
    if (failed == 0) return;
    text = std::to_string(failed) + " of " + std::to_string(snapshot_->seeds.size()) + " seeds stopped (" +
           text + "). " +
           (failed == static_cast<int>(snapshot_->seeds.size())
                ? "What is drawn is their last good states."
                : "Their last good states are left out of the means.");
    if (text != failures_) failures_seen_ = false;
    failures_ = text;
}

bool Session::at_end() const {
    return snapshot_ && snapshot_->run_number == run_number_ &&
           (snapshot_->status.state == RunState::finished || snapshot_->status.state == RunState::failed);
}

void Session::restart(bool run_now) {
    running_ = run_now;
    link_->send(Restart{info().name, settings(), run_now});
}

void Session::toggle_running() {
    if (at_end()) {
        restart(true);
        return;
    }
    running_ = !running_;
    if (running_)
        link_->send(Resume{});
    else
        link_->send(Pause{});
}

void Session::step_once() {
    running_ = false;
    link_->send(StepOnce{});
}

void Session::reset() { restart(running_); }

void Session::new_seed() {
    if (!settings().has(kSeedField)) {
        restart(running_);
        return;
    }
    const FieldInfo& field = settings().info(kSeedField);
    const int64_t used = snapshot_ ? std::max<int64_t>(1, static_cast<int64_t>(snapshot_->seeds.size())) : 1;
    const int64_t next = settings().integer(kSeedField) + used;
    undo_.note(setup_, "");
    setup_.settings.set(
        kSeedField, static_cast<double>(next) <= field.maximum ? next : static_cast<int64_t>(field.minimum));
    restart(running_);
}

void Session::set_pace(double steps_per_second) {
    if (steps_per_second == pace_) return;
    pace_ = steps_per_second;
    link_->send(SetPace{pace_});
}

void Session::change_pace(int rungs) {
    const int last = static_cast<int>(pace_ladder().size()) - 1;
    set_pace(pace_ladder()[static_cast<size_t>(std::clamp(pace_rung(pace_) + rungs, 0, last))]);
}

void Session::set_threads(int threads) {
    if (threads == threads_) return;
    threads_ = threads;
    link_->send(SetThreads{threads});
}

void Session::set_field(const std::string& name, const FieldValue& value) {
    Setup wanted = setup_;
    try {
        wanted.settings.set(name, value);
        if (info().check) info().check(wanted.settings);
    } catch (const InputError& error) {
        refused_field_ = name;
        refusal_ = error.what();
        return;
    }
    refused_field_.clear();
    refusal_.clear();
    if (wanted == setup_) return;
    undo_.note(setup_, name);
    change_to(std::move(wanted));
}

void Session::load(const ExperimentInfo& info, const Settings& settings) {
    if (info.check) info.check(settings);
    undo_.note(setup_, "");
    change_to({&info, settings, std::nullopt});
}

// Live fields alone are told to the run, anything else starts it again.
void Session::change_to(Setup wanted) {
    const Setup before = std::exchange(setup_, std::move(wanted));
    refused_field_.clear();
    refusal_.clear();
    std::vector<SetLive> changes;
    bool fresh = before.experiment != setup_.experiment;
    if (!fresh)
        for (const FieldInfo& field : settings().fields()) {
            const FieldValue& value = settings().value(field.name);
            if (value == before.settings.value(field.name)) continue;
            fresh = fresh || field.applies == Applies::restart;
            changes.push_back({field.name, value});
        }
    if (fresh) {
        restart(running_);
        return;
    }
    for (SetLive& change : changes) link_->send(std::move(change));
}

void Session::undo() {
    if (auto back = undo_.undo(setup_)) change_to(std::move(*back));
}

void Session::redo() {
    if (auto forth = undo_.redo(setup_)) change_to(std::move(*forth));
}

std::string Session::undo_text() const {
    return undo_.next_undo() ? change_text(setup_, *undo_.next_undo()) : "";
}

std::string Session::redo_text() const {
    return undo_.next_redo() ? change_text(setup_, *undo_.next_redo()) : "";
}

std::string Session::refusal(const std::string& name) const { return name == refused_field_ ? refusal_ : ""; }

std::optional<std::string> Session::stop_field() const {
    if (!snapshot_) return std::nullopt;
    for (const FieldInfo& field : settings().fields())
        if (field.group == "run" && field.unit == snapshot_->step_unit &&
            snapshot_->settings.has(field.name) && std::holds_alternative<int64_t>(field.default_value) &&
            snapshot_->settings.integer(field.name) == snapshot_->status.target_step)
            return field.name;
    return std::nullopt;
}

std::vector<std::string> Session::banners() const {
    std::vector<std::string> all = notices_;
    if (!failures_.empty() && !failures_seen_) all.push_back(failures_);
    return all;
}

void Session::report(const std::string& sentence) {
    if (std::find(notices_.begin(), notices_.end(), sentence) != notices_.end()) return;
    notices_.push_back(sentence);
    if (notices_.size() > kMostNotices) notices_.erase(notices_.begin());
}

void Session::dismiss_banner(size_t index) {
    if (index < notices_.size())
        notices_.erase(notices_.begin() + static_cast<std::ptrdiff_t>(index));
    else
        failures_seen_ = true;
}

}  // namespace emergence
