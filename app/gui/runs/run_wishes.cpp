// What waits for the run's state: saving it, leaving it, setting it aside, closing the window.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/gui/runs/run_keeper.h"
#include "app/gui/shell/clock.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr double kLongestAnswer = 5.0;  // seconds that a closing window waits for the state of its run

}  // namespace

void RunKeeper::ask(Session& session) {
    asked_at_ = seconds_now();
    session.ask_for_state();
}

// Of several wishes to go somewhere the last one counts.
void RunKeeper::wish(Session& session, Wish wish) {
    const auto goes = [](const Wish& one) { return one.task == Task::leave || one.task == Task::aside; };
    if (goes(wish)) std::erase_if(wishes_, [&](const Wish& one) { return one.task == wish.task; });
    wish.number = ++last_wish_;
    wish.step = session.live_snapshot() ? session.live_snapshot()->step : 0;
    const auto place = goes(wish) ? wishes_.end() : std::find_if(wishes_.begin(), wishes_.end(), goes);
    wishes_.insert(place, std::move(wish));
    ask(session);
}

void RunKeeper::serve(Session& session, Toasts& toasts) {
    const std::shared_ptr<const SavedRun> saved = session.take_saved();
    if (wishes_.empty()) return;
    Wish& first = wishes_.front();
    const bool fits = saved && saved->moment.run_number == run_number_ && saved->state.step >= first.step;
    if (first.task == Task::leave && fits && !first.writing) {
        // The run that was set aside at this step has its folder.
        const bool is_aside = aside_.folder && !present_.folder && aside_.step == saved->state.step;
        first.writing = !is_aside && write(saved, session.history(), false, first.number);
        first.written = !first.writing;
    }
    if (first.task == Task::leave ? !first.written : !fits) return;
    const Wish served = std::move(first);
    wishes_.pop_front();
    if (!wishes_.empty()) ask(session);
    if (served.task == Task::leave)
        served.then(session, toasts, served.failed ? kWayBack : kSavedBefore);
    else if (served.task == Task::aside)
        set_aside_now(session, served.aside, saved);
    else
        write(saved, session.history(), served.for_good);
}

// It is in its folder before anything takes its place, however the window ends.
void RunKeeper::set_aside_now(const Session& session, const Aside& then, const std::shared_ptr<const SavedRun>& saved) {
    if (worth_keeping(session)) write(saved, session.history(), false);
    aside_ = std::exchange(present_, {});
    aside_.step = kept_step_;
    then(saved);
}

// The present run has come to its end before its state was there: undo may have it.
void RunKeeper::serve_from_left(Session& session) {
    const PastRun* left = session.left_run(run_number_);
    for (const Wish& wish : std::exchange(wishes_, {})) {
        if (wish.task == Task::leave || wish.task == Task::aside) {  // of whatever run is there by now
            wishes_.push_back(wish);
            wishes_.back().step = 0;
            wishes_.back().written = wish.task == Task::leave;
        } else if (wish.task == Task::keep) {
            continue;
        } else if (left == nullptr) {
            session.report("The run is not saved: another one took its place within half a second of training.",
                           Session::kAnswerStays);
        } else {
            write(left->saved, left->history, true);
        }
    }
}

std::string RunKeeper::finish(Session& session) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kLongestAnswer);
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    Toasts unread;
    follow_run(session, seconds_now());
    // Nothing takes the place of a run any more.
    std::erase_if(wishes_,
                  [](const Wish& one) { return one.task == Task::aside || (one.task == Task::leave && !one.writing); });
    for (Wish& one : wishes_)
        if (one.task == Task::leave) one.task = Task::keep;
    if (worth_keeping(session)) wish(session, {});
    while (!wishes_.empty() && std::chrono::steady_clock::now() < until) {
        session.update();
        serve(session, unread);
        if (!wishes_.empty()) pause();
    }
    const Place own = aside_.folder ? aside_ : Place{present_.folder, {}, kept_step_};
    leave_folder();
    while (last_.unfinished()) pause();
    jobs_.drain();
    for (const Result& result : results_)
        if (!result.failures.empty()) return result.failures.front();
    if (!own.folder || own.step < 0) return "";
    return fmt::format("Step {} is saved. Go on with: emergence {}", own.step, shell_path(own.folder->path().string()));
}

void RunKeeper::leave(Session& session, Toasts& toasts, Then then) {
    const auto& live = session.live_snapshot();
    if (!worth_keeping(session))
        then(session, toasts, live && live->step > 0 ? kWayBack : "");
    else if (present_.folder && writing_ == 0 && live->step == kept_step_)
        then(session, toasts, kSavedBefore);
    else
        wish(session, {.task = Task::leave, .then = std::move(then)});
}

void RunKeeper::set_aside(Session& session, Aside then) {
    if (!session.live_snapshot() || !session.study())
        then(nullptr);
    else
        wish(session, {.task = Task::aside, .aside = std::move(then)});
}

void RunKeeper::come_back(std::shared_ptr<const Checkpoint> checkpoint) {
    const Place place = std::exchange(aside_, {});
    if (checkpoint) {
        next_from_ = std::move(checkpoint);
        next_ = place;
        comes_back_ = true;
    } else if (place.folder && place.folder != next_.folder && place.folder != present_.folder) {
        start(Task::quiet, [folder = place.folder](Result&) { folder->close(); });
    }
}

}  // namespace emergence
