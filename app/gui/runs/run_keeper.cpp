#include "app/gui/runs/run_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/gui/shell/clock.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr double kAskAgain = 10.0;  // seconds after which the request for the state is repeated
constexpr double kShortRun = 30.0;  // seconds of training
constexpr double kSoon = 1.0;       // seconds until a finished run is saved

bool ended(const Snapshot& live) {
    return live.status.state == RunState::finished || live.status.state == RunState::failed;
}

// Takes the run's own folder. Returns null, with the reason, if nothing can be written there.
std::shared_ptr<RunFolder> in_its_place(const RunToOpen& run, bool keeps, std::string& why_not) {
    auto folder = RunFolder::claim(run.folder, run.checkpoint->settings.figure);
    if (!folder)
        why_not = fmt::format("{}: another program writes there, or the folder is read-only. Further training is {}.",
                              run.folder.string(), keeps ? "saved in another folder" : "not saved");
    return folder;
}

constexpr double kLongestAnswer = 5.0;  // seconds that a closing window waits for its run's state

}  // namespace

void RunKeeper::start(Task task, std::function<void(Result&)> work) {
    last_ = jobs_.post(
        Lane::runs,
        [task, does = std::move(work)](const Jobs::Task&) {
            Result result;
            result.task = task;
            try {
                does(result);
            } catch (const std::exception& error) {
                result.failures.emplace_back(error.what());
            }
            return result;
        },
        [this](Result result) { results_.push_back(std::move(result)); },
        task == Task::look || task == Task::open ? AtClosing::left_out : AtClosing::done);
}

void RunKeeper::use(fs::path runs, FindExperiment find) {
    runs_ = std::move(runs);
    find_ = std::move(find);
    start(Task::look, [look_in = runs_, with = find_](Result& result) {
        for (const fs::path& folder : interrupted_runs(look_in)) try {
                RunToOpen run = run_in(folder, with);
                if (run.finished)  // nothing is left to resume
                    decline_run(folder);
                else
                    result.runs.push_back(std::move(run));
            } catch (const std::exception& error) {
                // It can never be offered, and its files stay.
                decline_run(folder);
                result.failures.push_back(fmt::format("An interrupted run cannot be resumed: {}", error.what()));
            }
    });
}

void RunKeeper::began_with(const RunToOpen& run, Session& session, bool writes) {
    if (!run.notice.empty()) session.report(run.notice);
    next_from_ = run.checkpoint;
    next_ = {nullptr, run.folder};
    if (!writes) return;
    std::string why_not;
    next_.folder = in_its_place(run, !runs_.empty(), why_not);
    if (!why_not.empty()) session.report(why_not);
}

// ---- keeping

void RunKeeper::leave_folder() {
    if (present_.folder && present_.folder != next_.folder)
        start(Task::quiet, [folder = present_.folder](Result&) { folder->close(); });
    present_ = {};
}

// A new run gets another folder: its own, or the one that it resumes.
void RunKeeper::follow_run(Session& session, double now) {
    const auto& live = session.live_snapshot();
    if (!live || live->run_number == run_number_) return;
    serve_from_left(session);
    run_number_ = live->run_number;
    leave_folder();
    kept_step_ = -1;
    asked_at_ = now;
    if (!wishes_.empty()) ask(session);
    if (!next_from_) return;
    // The user has restarted the run meanwhile, so it is a new one.
    const int64_t step = next_from_->settings.step.value_or(0);
    if (live->step >= step) {
        if (next_.folder) present_ = next_;
        kept_step_ = comes_back_ ? -1 : step;
    } else if (next_.folder) {
        next_.folder->close();
    }
    comes_back_ = false;
    next_ = {};
    next_from_.reset();
}

bool RunKeeper::due(const Session& session, double interval, double now) const {
    const auto& live = session.live_snapshot();
    if (!wishes_.empty()) return !wishes_.front().writing && now - asked_at_ >= kAskAgain;
    if ((runs_.empty() && !present_.folder) || !(interval > 0.0) || !live || !session.study()) return false;
    if (live->run_number != run_number_ || live->step <= kept_step_ || live->step == 0) return false;
    return now - asked_at_ >= (present_.folder && ended(*live) ? std::min(interval, kSoon) : interval);
}

void RunKeeper::turn(Session& session, Toasts& toasts, double interval, double now) {
    interval_ = interval;
    take_reports(session, toasts);
    follow_run(session, now);
    if (due(session, interval, now)) {
        if (wishes_.empty())
            wish(session, {});
        else
            ask(session);
        asked_at_ = now;
    }
    serve(session, toasts);
}

// The run has trained so long since it began or resumed that Ctrl + Z is not enough.
bool RunKeeper::trained_long(const Session& session) const {
    const auto& live = session.live_snapshot();
    return live && session.study() && live->step > std::max<int64_t>(0, kept_step_) &&
           live->status.elapsed_seconds >= kShortRun;
}

bool RunKeeper::worth_keeping(const Session& session) const {
    return present_.folder || (interval_ > 0.0 && !runs_.empty() && trained_long(session));
}

// Returns false if the folder holds this state already.
bool RunKeeper::write(const std::shared_ptr<const SavedRun>& saved, const MetricHistory& history, bool for_good,
                      uint64_t wish) {
    if (!for_good && present_.folder && writing_ == 0 && saved->state.step == kept_step_) return false;
    kept_step_ = saved->state.step;
    ++writing_;
    if (!present_.folder) present_.folder = std::make_shared<RunFolder>(runs_);
    start(for_good ? Task::save : Task::keep,
          [folder = present_.folder, saved, for_good, wish, history](Result& result) {
              result.folder = folder;
              result.wish = wish;
              folder->write(*saved, history, for_good);
              result.written_to = folder->path();
          });
    return true;
}

void RunKeeper::save(Session& session) {
    if (runs_.empty() && !present_.folder) {
        session.report(
            "The run cannot be saved: no folder for runs is known (started without preferences, or "
            "without a home folder).");
    } else if (session.study()) {
        wish(session, {.task = Task::save, .for_good = true});
    }
}

// ---- reading

void RunKeeper::open(const fs::path& folder, const FindExperiment& find, std::optional<bool> run) {
    std::shared_ptr<RunFolder> mine;
    for (const Place& place : {present_, next_, aside_})
        if (place.path == folder) mine = place.folder;
    start(Task::open, [folder, mine, run, with = find, keeps = !runs_.empty()](Result& result) {
        result.runs = {run_in(folder, with)};
        result.run = run;
        result.folder = mine ? mine : in_its_place(result.runs.front(), keeps, result.why_not);
    });
}

void RunKeeper::answer(bool go_on) {
    if (offers_.empty()) return;
    const fs::path folder = offers_.front().folder;
    offers_.pop_front();
    if (go_on)
        open(folder, find_);
    else
        start(Task::quiet, [folder](Result&) { decline_run(folder); });
}

void RunKeeper::resume(Session& session, Toasts& toasts, Result& result, const std::string& way_back) {
    const RunToOpen& run = result.runs.front();
    if (!run.notice.empty()) session.report(run.notice);
    if (!result.why_not.empty()) session.report(result.why_not, Session::kAnswerStays);
    next_from_ = run.checkpoint;
    next_ = {std::move(result.folder), run.folder};
    comes_back_ = false;
    session.resume(*run.experiment, run.settings, run.checkpoint, result.run);
    toasts.add(fmt::format("{} {} at step {}{}", result.run == false ? "Opened" : "Resumed", run.experiment->title,
                           run.checkpoint->settings.step.value_or(0), way_back.empty() ? "" : ". " + way_back));
}

// Lasting trouble is reported once.
void RunKeeper::say(Session& session, const std::string& trouble) {
    if (std::exchange(trouble_, trouble) != trouble && !trouble.empty()) session.report(trouble);
}

// Handles the end of a write, successful or not.
void RunKeeper::take_written(const Result& result, Session& session) {
    --writing_;
    const bool failed = !result.failures.empty();
    for (Place* place : {&present_, &next_, &aside_})
        if (place->folder == result.folder && !failed) place->path = result.written_to;
    if (failed && result.folder == present_.folder) kept_step_ = -1;
    const auto wish = find_if(wishes_, [&](const Wish& one) { return one.number == result.wish; });
    const bool leaves = wish != wishes_.end();
    if (leaves) {
        wish->written = true;
        wish->failed = failed;
    }
    if (failed && leaves)
        session.report("The run is not saved: " + result.failures.front(), Session::kAnswerStays);
    else if (result.task == Task::keep)
        say(session, failed ? "The run is not saved: " + result.failures.front() +
                                  ". What was saved before stays, and saving is tried again while it trains."
                            : "");
}

void RunKeeper::take_reports(Session& session, Toasts& toasts) {
    for (Result& taken : std::exchange(results_, {})) {
        const auto result = std::make_shared<Result>(std::move(taken));
        const std::vector<std::string>& failures = result->failures;
        if (result->task == Task::look) offers_.assign(result->runs.begin(), result->runs.end());
        const bool for_wish = result->wish != 0;
        if (result->task == Task::keep || result->task == Task::save) take_written(*result, session);
        if (result->task != Task::keep && !for_wish)
            for (const std::string& failure : failures) session.report(failure);
        if (!failures.empty()) continue;
        if (result->task == Task::open) {
            const bool again = result->runs.front().folder == present_.path;  // the state that was saved last
            const Then then = [this, result](Session& with, Toasts& news, const std::string& way_back) {
                resume(with, news, *result, way_back);
            };
            if (again)
                then(session, toasts, "");
            else
                leave(session, toasts, then);
        }
        if (result->task == Task::save)
            toasts.add(fmt::format("Saved the run as {}", result->written_to.filename().string()),
                       result->written_to.string());
    }
}

void RunKeeper::ask(Session& session) {
    asked_at_ = seconds_now();
    session.ask_for_state();
}

// If several requests want to replace the run, the last one counts.
void RunKeeper::wish(Session& session, Wish wish) {
    const auto goes = [](const Wish& one) { return one.task == Task::leave || one.task == Task::aside; };
    if (goes(wish)) std::erase_if(wishes_, [&](const Wish& one) { return one.task == wish.task; });
    wish.number = ++last_wish_;
    wish.step = session.live_snapshot() ? session.live_snapshot()->step : 0;
    const auto place = goes(wish) ? wishes_.end() : find_if(wishes_, goes);
    wishes_.insert(place, std::move(wish));
    ask(session);
}

void RunKeeper::serve(Session& session, Toasts& toasts) {
    const std::shared_ptr<const SavedRun> saved = session.take_saved();
    if (wishes_.empty()) return;
    Wish& first = wishes_.front();
    const bool fits = saved && saved->moment.run_number == run_number_ && saved->state.step >= first.step;
    if (first.task == Task::leave && fits && !first.writing) {
        // The run that was set aside at this step has its folder already.
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

// The run is in its folder before another takes its place, however the window ends.
void RunKeeper::set_aside_now(const Session& session, const Aside& then, const std::shared_ptr<const SavedRun>& saved) {
    if (worth_keeping(session)) write(saved, session.history(), false);
    aside_ = std::exchange(present_, {});
    aside_.step = kept_step_;
    then(saved);
}

// The run was replaced before its state arrived. Undo may still have it.
void RunKeeper::serve_from_left(Session& session) {
    const PastRun* left = session.left_run(run_number_);
    for (const Wish& wish : std::exchange(wishes_, {})) {
        if (wish.task == Task::leave || wish.task == Task::aside) {  // applies to whatever run is there then
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
    // Nothing replaces a run any more.
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
    return fmt::format("Step {} is saved. Resume with: emergence {}", own.step,
                       shell_path(own.folder->path().string()));
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
