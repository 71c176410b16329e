#include "app/gui/session/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/shell/clock.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr size_t kMostNotices = 4;

// Says which seeds of a run stopped and why; "" if none did.
std::string failure_text(const Snapshot& snapshot) {
    std::string first;
    size_t failed = 0;
    for (const SeedStatus& seed : snapshot.seeds)
        if (seed.failed && ++failed == 1) first = "seed " + std::to_string(seed.seed) + ": " + seed.reason;
    if (failed == 0) return "";
    return std::to_string(failed) + " of " + counted(snapshot.seeds.size(), counted_as(snapshot.seed_word)) +
           " stopped (" + first + "). " +
           (failed == snapshot.seeds.size() ? "What is drawn is their last good states."
                                            : "Their last good states are left out of the means.");
}

}  // namespace

const std::vector<double>& pace_ladder() {
    static const std::vector<double> ladder = {1, 2, 5, 10, 15, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 0};
    return ladder;
}

int pace_rung(double steps_per_second) {
    const std::vector<double>& ladder = pace_ladder();
    const int last = static_cast<int>(ladder.size()) - 1;
    if (!(steps_per_second > 0.0)) return last;
    const auto distance = [&](double pace) { return std::abs(std::log(pace / steps_per_second)); };
    const auto nearest = std::min_element(ladder.begin(), ladder.begin() + last,
                                          [&](double a, double b) { return distance(a) < distance(b); });
    return static_cast<int>(nearest - ladder.begin());
}

double first_pace(const ExperimentInfo& info, double usual) { return info.pace > 0.0 ? info.pace : usual; }

Session::Session(const ExperimentInfo& info, Settings settings, std::unique_ptr<TrainerLink> link, Jobs& jobs,
                 Options options)
    : setup_{&info, std::move(settings), std::nullopt},
      jobs_(jobs),
      options_(std::move(options)),
      pace_(options_.pace.value_or(first_pace(info, options_.steps_per_second))),
      usual_pace_(options_.steps_per_second),
      running_(options_.running),
      going_to_(options_.go_to),
      a_(std::move(link), jobs, Lane::evaluation) {
    if (options_.go_to) send(StepOnce{*options_.go_to});
}

bool Session::update() {
    bool news = false;
    for (const std::string& trouble : jobs_.drain()) {
        report(trouble);
        news = true;
    }
    for (FollowedRun* run : {&a_, b_.get()}) {
        if (run == nullptr) continue;
        for (const std::string& notice : run->take_notices()) {
            report((run == &a_ ? "" : "B: ") + notice);
            news = true;
        }
        news = run->update() || news;
    }
    for (PastRun& left : a_.take_left()) keep_left(std::move(left));
    if (a_.run_number() != run_number_) {
        run_number_ = a_.run_number();
        show_live();
        pin_.reset();
        minus_pin_ = false;
        look_as_before();
    }
    const double now = seconds_now();
    std::erase_if(notices_, [now](const Said& said) { return said.until > 0.0 && said.until <= now; });
    note_failures();
    level();
    catch_up_with_former();
    return news;
}

void Session::note_failures() {
    std::string text = a_.live() ? failure_text(*a_.live()) : "";
    if (b_ && b_->live())
        if (const std::string of_b = failure_text(*b_->live()); !of_b.empty())
            text += (text.empty() ? "B: " : " B: ") + of_b;
    if (text != failures_) failures_seen_ = false;
    failures_ = text;
}

// ---- running

void Session::send(const Command& command) {
    a_.send(command);
    if (b_) b_->send(command);
}

std::optional<int64_t> Session::going_to() const {
    if (!live_snapshot() || a_.at_end() || !going_to_ || live_snapshot()->step >= *going_to_) return std::nullopt;
    return going_to_;
}

void Session::toggle_running() {
    if (a_.at_end())
        restart(true);
    else
        set_running(!advancing());
}

void Session::set_running(bool on) {
    if (advancing() == on) return;
    running_ = on;
    levelling_ = !on;
    going_to_.reset();
    if (!on)
        send(Pause{});
    else if (!a_.at_end())
        send(Resume{});
}

void Session::step_once() {
    show_live();
    running_ = levelling_ = false;
    going_to_.reset();
    send(StepOnce{});
}

void Session::reset() { restart(running_); }

void Session::set_pace(double steps_per_second) {
    if (steps_per_second == pace_) return;
    pace_ = steps_per_second;
    if (!(info().pace > 0.0)) usual_pace_ = pace_;
    send(SetPace{pace_});
}

void Session::change_pace(int rungs) {
    const int last = static_cast<int>(pace_ladder().size()) - 1;
    set_pace(pace_ladder()[static_cast<size_t>(std::clamp(pace_rung(pace_) + rungs, 0, last))]);
}

void Session::set_threads(int threads) {
    if (threads == options_.threads) return;
    options_.threads = threads;
    share_threads();
}

void Session::leave_thread(bool leaves) {
    if (std::exchange(leaves_thread_, leaves) != leaves) share_threads();
}

// ---- the past

void Session::follow_time() {
    for (FollowedRun* run : {&a_, b_.get()})
        if (run != nullptr && time_.live())
            run->show_live();
        else if (run != nullptr)
            run->show(*time_.step(), settings());
}

void Session::show_step(int64_t step) {
    time_.stop();
    time_.show(step, moments());
    follow_time();
}

void Session::show_live() {
    time_.show_live();
    follow_time();
}

void Session::move_in_time(int by) {
    time_.move(by, moments());
    follow_time();
}

void Session::toggle_playing() {
    if (time_.playing())
        time_.stop();
    else
        time_.play(moments());
    follow_time();
}

void Session::play(double seconds) {
    if (!time_.playing()) return;
    time_.advance(seconds, moments());
    follow_time();
}

// Restores what was looked at once the returned run is there. Its moments have a new run number.
void Session::look_as_before() {
    if (!looked_ || !live_snapshot() || live_snapshot()->settings != settings()) return;
    const std::optional<Looked> looked = std::exchange(looked_, std::nullopt);
    if (looked->pin) {
        auto pinned = std::make_shared<Snapshot>(*looked->pin);
        pinned->run_number = run_number_;
        pin_ = std::move(pinned);
    }
    minus_pin_ = looked->minus_pin && pin_;
    if (looked->at) show_step(*looked->at);
}

void Session::toggle_pin() {
    if (!snapshot()) return;
    if (pin_ && pin_->step == snapshot()->step)
        pin_.reset();
    else
        pin_ = snapshot();
    if (!pin_) minus_pin_ = false;
}

std::vector<OtherRun> Session::other_runs() const {
    std::vector<OtherRun> others;
    if (other() != nullptr && other()->shown()) others.push_back({"Run B", "", other()->shown()});
    for (const auto& run : overlays_) others.push_back({"Overlaid run", run->name, run->snapshot});
    if (baseline()) others.push_back({"Subtracted moment", "", baseline()});
    return others;
}

void Session::set_overlays(Overlays overlays) {
    overlays_ = std::move(overlays);
    std::vector<std::filesystem::path> folders;
    for (const auto& run : overlays_) folders.push_back(run->folder);
    const std::vector<std::string> names = names_apart(folders);
    for (size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty() || overlays_[i]->name == names[i]) continue;
        auto renamed = std::make_shared<OverlaidRun>(*overlays_[i]);
        renamed->name = names[i];
        overlays_[i] = std::move(renamed);
    }
    ++overlay_changes_;
}

void Session::set_ghost(std::shared_ptr<const OverlaidRun> ghost) {
    if (ghost == ghost_) return;
    ghost_ = std::move(ghost);
    ++overlay_changes_;
}

const Session::Moment& Session::baseline() const {
    static const Moment none;
    return minus_pin_ ? pin_ : none;
}

// ---- what is said

std::vector<std::string> Session::banners() const {
    std::vector<std::string> all;
    for (const Said& said : notices_) all.push_back(said.sentence);
    if (!failures_.empty() && !failures_seen_) all.push_back(failures_);
    return all;
}

void Session::report(const std::string& given, double seconds) {
    constexpr size_t kLongest = 1000;  // a file may have names of a megabyte
    const std::string sentence = shortened(given, kLongest);
    const double until = seconds > 0.0 ? seconds_now() + seconds : 0.0;
    const auto same = find_if(notices_, [&](const Said& said) { return said.sentence == sentence; });
    if (same != notices_.end()) {
        same->until = until;
        return;
    }
    notices_.push_back({sentence, until});
    if (notices_.size() > kMostNotices) notices_.erase(notices_.begin());
}

bool Session::attempt(const std::function<void()>& action, double seconds) {
    try {
        action();
        return true;
    } catch (const std::exception& error) {
        report(error.what(), seconds);
        return false;
    }
}

bool Session::banner_is_stale(double now) const {
    return any_of(notices_, [now](const Said& said) { return said.until > 0.0 && said.until <= now; });
}

void Session::dismiss_banner() {
    if (!notices_.empty())
        notices_.erase(notices_.begin());
    else
        failures_seen_ = true;
}

}  // namespace emergence
