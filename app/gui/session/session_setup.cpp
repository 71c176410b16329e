// How the session's settings change, what that does to the runs, and how it is undone.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/session/session.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/field_words.h"
#include "core/base/error.h"

namespace emergence {
namespace {

Settings settings_of_b(const Setup& setup) {
    Settings settings = setup.settings;
    if (setup.difference) settings.set(setup.difference->field, setup.difference->value);
    return settings;
}

// Throws InputError if the settings of A or of B contradict each other.
void check_setup(const Setup& setup) {
    if (!setup.experiment->check) return;
    setup.experiment->check(setup.settings);
    if (!setup.difference) return;
    try {
        setup.experiment->check(settings_of_b(setup));
    } catch (const std::runtime_error& error) {
        throw InputError("in B, " + std::string(error.what()));
    }
}

// The changes of live fields that lead from one to the other; nullopt if a restart is needed.
std::optional<std::vector<SetLive>> live_changes(const Settings& from, const Settings& to) {
    std::vector<SetLive> changes;
    for (const FieldInfo& field : to.fields()) {
        const FieldValue& value = to.value(field.name);
        if (value == from.value(field.name)) continue;
        if (field.applies == Applies::restart) return std::nullopt;
        changes.push_back({field.name, value});
    }
    return changes;
}

// A different value of the field, near this one.
std::optional<FieldValue> another_value(const FieldInfo& field, const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return !*flag;
    if (const auto* whole = std::get_if<int64_t>(&value))
        return static_cast<double>(*whole) < field.maximum ? *whole + 1 : *whole - 1;
    if (const auto* number = std::get_if<double>(&value))
        return *number > 0.0 && 2 * *number <= field.maximum ? 2 * *number : (field.minimum + *number) / 2;
    for (const std::string& choice : field.choices)
        if (choice != std::get<std::string>(value)) return choice;
    return std::nullopt;
}

// A difference in the first field that is worth comparing.
std::optional<Difference> first_difference(const Setup& setup) {
    for (const FieldInfo& field : setup.settings.fields())
        if (field.applies == Applies::restart)
            if (auto value = another_value(field, setup.settings.value(field.name)))
                return Difference{field.name, *value};
    return std::nullopt;
}

}  // namespace

void Session::restart(bool run_now, std::shared_ptr<const Checkpoint> from,
                      std::shared_ptr<const SnapshotHistory> past) {
    looked_.reset();
    former_.reset();
    restart_waits_ = false;
    running_ = run_now;
    levelling_ = false;
    going_to_.reset();
    show_live();
    a_.send(Restart{info().name, settings(), run_now, std::move(from), std::move(past)});
    if (b_) b_->send(Restart{info().name, settings_of_b(setup_), run_now});
}

void Session::new_seed() {
    const FieldInfo* field = settings().field(FieldRole::first_seed);
    if (field == nullptr) {
        restart(running_);
        return;
    }
    const int64_t used =
        live_snapshot() ? std::max<int64_t>(1, static_cast<int64_t>(live_snapshot()->seeds.size())) : 1;
    const int64_t next = settings().integer(field->name) + used;
    undo_.note(setup_, "");
    setup_.settings.set(field->name,
                        static_cast<double>(next) <= field->maximum ? next : static_cast<int64_t>(field->minimum));
    restart(running_);
}

// While the user drags a setting, more runs are requested than can be drawn. The next one begins once the curves of the
// last one are drawn, or after kTime.
bool Session::waits_for_picture() const {
    constexpr double kTime = 0.1;  // seconds
    if (!running_ || !former_ || !undo_.in_gesture() || seconds_now() > restarted_at_ + kTime) return false;
    return a_.run_number() == restarted_from_ || (live_snapshot()->step < former_->snapshot->step && !a_.at_end());
}

// Of one drag, or of quick successive changes, the run before the first change is stored.
void Session::keep_former() {
    if (std::exchange(former_of_gesture_, undo_.in_gesture()) && former_) return;
    if (!live_snapshot() || !study() || live_snapshot()->step == 0) return;
    if (former_ && live_snapshot()->step < former_->snapshot->step) return;
    former_ = std::make_shared<const OverlaidRun>(OverlaidRun{{}, "", study(), history(), live_snapshot()});
}

void Session::restart_changed() {
    restart_waits_ = waits_for_picture();
    if (restart_waits_) return;
    keep_former();
    const auto former = former_;
    restart(running_);
    former_ = former;
    ++overlay_changes_;
    restarted_at_ = seconds_now();
    restarted_from_ = a_.run_number();
    // Even a slow run trains to the step of the run before it as fast as possible.
    if (info().pace > 0.0 && former_ && !std::exchange(hurries_, true)) send(SetPace{0.0});
}

void Session::catch_up_with_former() {
    if (restart_waits_ && !waits_for_picture()) restart_changed();
    if (!hurries_ || undo_.in_gesture()) return;
    const bool there = !former_ || (a_.run_number() != restarted_from_ &&
                                    (a_.at_end() || live_snapshot()->step >= former_->snapshot->step));
    if (!there) return;
    hurries_ = false;
    send(SetPace{pace_});
}

bool Session::locked(const std::string& field) const {
    return unlocked_ && std::find(unlocked_->begin(), unlocked_->end(), field) == unlocked_->end();
}

void Session::set_field(const std::string& name, const FieldValue& value) {
    if (locked(name)) {
        refused_field_ = name;
        refusal_ = "The lesson holds this setting.";
        return;
    }
    Setup wanted = setup_;
    try {
        wanted.settings.set(name, value);
        check_setup(wanted);
    } catch (const std::runtime_error& error) {
        refused_field_ = name;
        refusal_ = with_labels(error.what(), settings().fields());
        return;
    }
    refused_field_.clear();
    refusal_.clear();
    if (wanted == setup_) return;
    undo_.note(setup_, name);
    change_to(std::move(wanted));
}

bool Session::would_go_on(const ExperimentInfo& info, const Settings& settings, std::optional<int64_t> step) const {
    return !step && setup_.experiment == &info && live_changes(setup_.settings, settings).has_value();
}

// Checks a complete replacement of the settings, and makes it a step to undo.
Setup Session::opened(const ExperimentInfo& info, const Settings& settings) {
    if (info.check) info.check(settings);
    Setup wanted{&info, settings, std::nullopt, openings_ + 1};
    if (!(wanted == setup_)) undo_.note(setup_, "");
    return wanted;
}

void Session::load(const ExperimentInfo& info, const Settings& settings, std::optional<int64_t> step) {
    change_to(opened(info, settings));
    ++openings_;
    if (!step) return;
    restart(false);
    going_to_ = step;
    send(StepOnce{*step});
}

void Session::resume(const ExperimentInfo& info, const Settings& settings, std::shared_ptr<const Checkpoint> checkpoint,
                     std::optional<bool> run) {
    const Setup before = put_in_place(opened(info, settings));
    restart(run.value_or(running_), std::move(checkpoint));
    follow_difference(before, true);
    ++openings_;
}

Session::Kept Session::kept() const {
    return {setup_,
            undo_,
            pace_,
            usual_pace_,
            std::make_shared<const SnapshotHistory>(moments()),
            {time_.step(), pin_, minus_pin_}};
}

void Session::put_back(Kept kept, std::shared_ptr<const Checkpoint> checkpoint, bool run) {
    undo_ = std::move(kept.undo);
    const Setup before = put_in_place(std::move(kept.setup));
    set_pace(kept.pace);
    usual_pace_ = kept.usual_pace;
    const bool resumes = checkpoint != nullptr;
    restart(run, std::move(checkpoint), resumes ? std::move(kept.moments) : nullptr);
    if (resumes) looked_ = std::move(kept.looked);
    follow_difference(before, true);
    ++openings_;
}

// Returns the previous setup.
Setup Session::put_in_place(Setup wanted) {
    refused_field_.clear();
    refusal_.clear();
    compare_refusal_.clear();
    Setup before = std::exchange(setup_, std::move(wanted));
    if (before.experiment != setup_.experiment) set_pace(first_pace(info(), usual_pace_));
    return before;
}

void Session::keep_left(PastRun left) {
    left_.push_front(std::move(left));
    if (left_.size() > kMostLeft) left_.pop_back();
}

const PastRun* Session::left_run(uint64_t run_number) const {
    for (const PastRun& left : left_)
        if (left.saved->moment.run_number == run_number) return &left;
    return nullptr;
}

// The last replaced run with these settings.
std::optional<PastRun> Session::take_left(const Setup& of) {
    for (auto left = left_.begin(); left != left_.end(); ++left) {
        const SavedState& state = left->saved->state;
        if (state.experiment != of.experiment->name || !(state.settings == of.settings)) continue;
        PastRun found = std::move(*left);
        left_.erase(left);
        return found;
    }
    return std::nullopt;
}

// Changes of live fields are sent to the runs; any other change restarts them. With `returns` a stored run resumes.
void Session::change_to(Setup wanted, bool returns) {
    const Setup before = put_in_place(std::move(wanted));
    const auto changes =
        before.experiment == setup_.experiment ? live_changes(before.settings, settings()) : std::nullopt;
    if (changes)
        for (const SetLive& change : *changes) a_.send(change);
    else if (const auto left = returns ? take_left(setup_) : std::nullopt)
        restart(running_, checkpoint_of(*left->saved, left->history), left->moments);
    else if (before.experiment == setup_.experiment && before.opening == setup_.opening)
        restart_changed();
    else
        restart(running_);
    follow_difference(before, !changes);
    follow_time();
}

void Session::undo() {
    if (auto back = undo_.undo(setup_)) change_to(std::move(*back), true);
}

void Session::redo() {
    if (auto forth = undo_.redo(setup_)) change_to(std::move(*forth), true);
}

std::string Session::undo_text() const { return undo_.next_undo() ? change_text(setup_, *undo_.next_undo()) : ""; }

std::string Session::redo_text() const { return undo_.next_redo() ? change_text(setup_, *undo_.next_redo()) : ""; }

// ---- A and B

void Session::compare(const std::string& field, const FieldValue& value) {
    if (!can_compare()) return;
    Setup wanted = setup_;
    wanted.difference = Difference{field, value};
    try {
        settings_of_b(wanted);
        check_setup(wanted);
    } catch (const std::runtime_error& error) {
        compare_refusal_ = with_labels(error.what(), settings().fields());
        return;
    }
    compare_refusal_.clear();
    if (wanted == setup_) return;
    undo_.note(setup_, "B " + field);
    change_to(std::move(wanted));
}

void Session::compare_in(const std::string& field) {
    if (const auto value = another_value(settings().info(field), settings().value(field))) compare(field, *value);
}

void Session::toggle_compare() {
    if (!can_compare()) return;
    if (difference()) {
        undo_.note(setup_, "");
        change_to({setup_.experiment, setup_.settings, std::nullopt, setup_.opening});
        return;
    }
    const bool known = last_difference_ && settings().has(last_difference_->field);
    const auto difference = known ? last_difference_ : first_difference(setup_);
    if (difference) compare(difference->field, difference->value);
}

// Opens or closes B, or sends it the changes. `restarted`: the runs have just been started again.
void Session::follow_difference(const Setup& before, bool restarted) {
    if (!setup_.difference) {
        if (!b_) return;
        // The window does not wait for B's trainer, which ends after its step.
        jobs_.post(Lane::closing,
                   [old = std::shared_ptr<FollowedRun>(std::move(b_))](const Jobs::Task&) mutable { old.reset(); });
        share_threads();
        return;
    }
    last_difference_ = setup_.difference;
    if (!b_) {
        const Restart first{info().name, settings_of_b(setup_), running_ || a_.at_end()};
        const int threads = std::max(1, options_.threads / 2);
        b_ = std::make_unique<FollowedRun>(options_.open_other(first, threads), jobs_, Lane::other_evaluation);
        b_->send(SetPace{pace_});
        share_threads();
        catch_up();
        return;
    }
    if (restarted) return;
    if (const auto changes = live_changes(settings_of_b(before), settings_of_b(setup_))) {
        for (const SetLive& change : *changes) b_->send(change);
        return;
    }
    b_->send(Restart{info().name, settings_of_b(setup_), running_ || a_.at_end()});
    catch_up();
}

// If A is paused, B, which has just begun, trains to A's step and pauses there.
void Session::catch_up() {
    if (running_ || !a_.live() || a_.at_end() || a_.live()->step <= 0) return;
    b_->send(StepOnce{a_.live()->step});
}

void Session::share_threads() {
    const int threads = std::max(1, options_.threads - (leaves_thread_ ? 1 : 0));
    a_.send(SetThreads{b_ ? (threads + 1) / 2 : threads});
    if (b_) b_->send(SetThreads{std::max(1, threads / 2)});
}

// Brings two runs that were paused a few steps apart to the same step.
void Session::level() {
    if (!levelling_ || !b_ || !a_.live() || !b_->live()) return;
    const auto paused = [](const FollowedRun& run) { return run.live()->status.state == RunState::paused; };
    if (!paused(a_) || !paused(*b_)) return;
    levelling_ = false;
    FollowedRun& behind = a_.live()->step < b_->live()->step ? a_ : *b_;
    const int64_t apart = std::abs(a_.live()->step - b_->live()->step);
    if (apart > 0) behind.send(StepOnce{apart});
}

bool ends_run(const FieldInfo& field, const Settings& settings, const std::string& step_unit, int64_t target_step) {
    return field.group == "run" && field.unit == step_unit && settings.has(field.name) &&
           std::holds_alternative<int64_t>(field.default_value) && settings.integer(field.name) == target_step;
}

std::optional<std::string> Session::stop_field() const {
    if (!live_snapshot()) return std::nullopt;
    const Snapshot& live = *live_snapshot();
    for (const FieldInfo& field : settings().fields())
        if (ends_run(field, live.settings, live.step_unit, live.status.target_step)) return field.name;
    return std::nullopt;
}

}  // namespace emergence
