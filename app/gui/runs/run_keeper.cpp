#include "app/gui/runs/run_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/gui/shell/clock.h"
#include "app/open/run_mark.h"
#include "core/base/error.h"
#include "core/base/shell_words.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr double kLongestAnswer = 5.0;  // seconds that a closing window waits for the state of its run
constexpr double kAskAgain = 10.0;      // seconds after which an answer is no longer expected
constexpr double kShortRun = 30.0;      // seconds of training: Ctrl + Z is enough
constexpr double kSoon = 1.0;           // seconds until a run that has ended is kept

bool ended(const Snapshot& live) {
    return live.status.state == RunState::finished || live.status.state == RunState::failed;
}

// Where the run lies, so that it stays one run; null, and why, where that cannot be.
std::shared_ptr<RunFolder> in_its_place(const RunToOpen& run, std::string& why_not) {
    auto folder = RunFolder::claim(run.folder, run.checkpoint->settings.figure);
    if (!folder)
        why_not = fmt::format(
            "{}: another program writes there, or the folder is read-only. Further training is saved in another folder.",
            run.folder.string());
    return folder;
}

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
                if (run.finished)  // there is nothing to go on with
                    decline_run(folder);
                else
                    result.runs.push_back(std::move(run));
            } catch (const std::exception& error) {
                // It can never be offered; what there is stays.
                decline_run(folder);
                result.failures.push_back(
                    fmt::format("An interrupted run cannot be resumed: {}", error.what()));
            }
    });
}

void RunKeeper::began_with(const RunToOpen& run, Session& session, bool writes) {
    if (!run.notice.empty()) session.report(run.notice);
    next_from_ = run.checkpoint;
    next_place_ = run.folder;
    if (!writes) return;
    std::string why_not;
    next_folder_ = in_its_place(run, why_not);
    if (!why_not.empty()) session.report(why_not);
}

// ---- keeping

void RunKeeper::leave_folder() {
    if (folder_ && folder_ != next_folder_)
        start(Task::quiet, [folder = folder_](Result&) { folder->close(); });
    folder_.reset();
    written_to_.clear();
}

// Another run has another folder: one of its own, or that which it goes on with.
void RunKeeper::follow_run(const Session& session, double now) {
    const auto& live = session.live_snapshot();
    if (!live || live->run_number == run_number_) return;
    run_number_ = live->run_number;
    leave_folder();
    resumed_from_.clear();
    kept_step_ = -1;
    // The run that was to be left has left by itself.
    leaves_now_ = leaves_now_ || std::exchange(state_leaves_, false);
    asked_ = keep_ = false;
    began_at_ = asked_at_ = now;
    if (!next_from_) return;
    // A restart that was asked for meanwhile has begun anew.
    const int64_t step = next_from_->settings.step.value_or(0);
    if (live->step >= step) {
        resumed_from_ = next_place_;
        folder_ = std::move(next_folder_);
        if (folder_) written_to_ = folder_->path();
        kept_step_ = comes_back_ ? -1 : step;
    } else if (next_folder_) {
        next_folder_->close();
    }
    comes_back_ = false;
    next_folder_.reset();
    next_from_.reset();
}

bool RunKeeper::due(const Session& session, double interval, double now) const {
    const auto& live = session.live_snapshot();
    if ((runs_.empty() && !folder_) || !(interval > 0.0) || !live || !session.study()) return false;
    if (live->run_number != run_number_ || live->step <= kept_step_ || live->step == 0) return false;
    if (asked_ && now - asked_at_ < kAskAgain) return false;
    return now - asked_at_ >= (folder_ && ended(*live) ? std::min(interval, kSoon) : interval);
}

void RunKeeper::turn(Session& session, Toasts& toasts, double interval, double now) {
    take_reports(session, toasts);
    follow_run(session, now);
    if (due(session, interval, now)) {
        asked_ = true;
        asked_at_ = now;
        session.ask_for_state();
    }
    if (auto saved = session.take_saved(); saved && saved->moment.run_number == run_number_) {
        const bool only_copy = !copy_.empty() && !aside_ && !asked_ && !keep_ && !state_leaves_;
        if (!copy_.empty()) write_copy(session, *saved);
        if (only_copy) {
            // The run itself is kept when it is due.
        } else if (aside_) {
            asked_ = false;
            aside_folder_ = std::move(folder_);
            std::exchange(aside_, nullptr)(std::move(saved));
        } else {
            write(session, std::move(saved));
        }
    }
    if (std::exchange(leaves_now_, false) && departure_.then)
        std::exchange(departure_, {}).then(session, toasts);
}

void RunKeeper::write(const Session& session, std::shared_ptr<const SavedRun> saved) {
    asked_ = false;
    kept_step_ = saved->state.step;
    const bool keep = std::exchange(keep_, false);
    const uint64_t leaving = std::exchange(state_leaves_, false) ? leaving_ : 0;
    ++writing_;
    if (!folder_) folder_ = std::make_shared<RunFolder>(runs_);
    start(keep ? Task::save : Task::keep, [folder = folder_, state = std::move(saved), keep, leaving,
                                           history = session.history()](Result& result) {
        result.leaving = leaving;
        folder->write(*state, history, keep);
        result.written_to = folder->path();
    });
}

void RunKeeper::save_copy(Session& session, const std::string& name) {
    if (runs_.empty() || !session.study()) return;
    copy_ = name;
    session.ask_for_state();
}

void RunKeeper::write_copy(const Session& session, const SavedRun& saved) {
    start(Task::copy, [runs = runs_, name = std::exchange(copy_, ""), state = saved,
                       history = session.history()](Result& result) {
        RunFolder folder(runs);
        folder.write(state, history, true);
        folder.close();
        write_run_mark(folder.path(), {name, true});
        result.name = name;
        result.written_to = folder.path();
    });
}

void RunKeeper::save(Session& session) {
    if (runs_.empty() && !folder_) {
        session.report(
            "The run cannot be saved: no folder for runs is known (started without preferences, or "
            "without a home folder).");
        return;
    }
    if (!session.study()) return;
    keep_ = asked_ = true;
    asked_at_ = seconds_now();
    session.ask_for_state();
}

std::string RunKeeper::finish(Session& session) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kLongestAnswer);
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    if (folder_ || keep_) {
        session.ask_for_state();
        std::shared_ptr<const SavedRun> saved;
        while (!saved && std::chrono::steady_clock::now() < until) {
            session.update();
            saved = session.take_saved();
            if (!saved) pause();
        }
        // What was only looked at stays as it is.
        const bool more = saved && (keep_ || saved->state.step != kept_step_);
        if (more && saved->moment.run_number == run_number_) write(session, std::move(saved));
    }
    const std::shared_ptr<const RunFolder> folder = folder_;
    leave_folder();
    while (last_.unfinished()) pause();
    jobs_.drain();
    for (const Result& result : results_)
        if (!result.failures.empty()) return result.failures.front();
    if (!folder || kept_step_ < 0) return "";
    return fmt::format("Step {} is saved. Go on with: emergence {}", kept_step_,
                       shell_path(folder->path().string()));
}

// ---- leaving

void RunKeeper::leave(Session& session, Toasts& toasts, const std::string& to, Then then) {
    const auto& live = session.live_snapshot();
    way_back_.clear();
    if (folder_) {
        way_back_ = kSavedBefore;
        keep_then(session, toasts, {to, std::move(then)});
    } else if (!live || !session.study() || live->step == 0 || live->status.elapsed_seconds < kShortRun) {
        if (live && live->step > 0) way_back_ = kWayBack;
        then(session, toasts);
    } else {
        question_ = {to, std::move(then)};
    }
}

void RunKeeper::set_aside(Session& session, Aside then) {
    if (!session.live_snapshot() || !session.study()) {
        then(nullptr);
        return;
    }
    aside_ = std::move(then);
    session.ask_for_state();
}

void RunKeeper::come_back(std::shared_ptr<const Checkpoint> checkpoint) {
    next_from_ = std::move(checkpoint);
    next_place_ = aside_folder_ ? aside_folder_->path() : fs::path();
    next_folder_ = std::move(aside_folder_);
    comes_back_ = next_from_ != nullptr;
    if (!next_from_ && next_folder_) std::exchange(next_folder_, nullptr)->close();
}

void RunKeeper::keep_then(Session& session, Toasts& toasts, Departure departure) {
    if (folder_ && writing_ == 0 && session.live_snapshot()->step == kept_step_) {
        departure.then(session, toasts);
        return;
    }
    departure_ = std::move(departure);
    ++leaving_;
    asked_ = state_leaves_ = true;
    asked_at_ = seconds_now();
    session.ask_for_state();
}

// ---- reading

void RunKeeper::open(const fs::path& folder, const FindExperiment& find, std::optional<bool> run) {
    start(Task::open,
          [folder, mine = folder == written_to_ ? folder_ : nullptr, run, with = find](Result& result) {
              result.runs = {run_in(folder, with)};
              result.run = run;
              result.folder = mine ? mine : in_its_place(result.runs.front(), result.why_not);
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

void RunKeeper::open_copy(const fs::path& folder, const FindExperiment& find, bool run) {
    start(Task::open, [folder, run, with = find](Result& result) {
        result.runs = {run_in(folder, with)};
        result.run = run;
    });
}

void RunKeeper::resume(Session& session, Toasts& toasts, Result& result) {
    const RunToOpen& run = result.runs.front();
    if (!run.notice.empty()) session.report(run.notice);
    if (!result.why_not.empty()) session.report(result.why_not);
    next_from_ = run.checkpoint;
    next_place_ = run.folder;
    next_folder_ = std::move(result.folder);
    session.resume(*run.experiment, run.settings, run.checkpoint, result.run);
    const std::string way_back = take_way_back();
    toasts.add(fmt::format("{} {} at step {}{}", result.run == false ? "Opened" : "Resumed",
                           run.folder.filename().string(), run.checkpoint->settings.step.value_or(0),
                           way_back.empty() ? "" : ". " + way_back));
}

// Trouble that goes on is said once.
void RunKeeper::say(Session& session, const std::string& trouble) {
    if (std::exchange(trouble_, trouble) != trouble && !trouble.empty()) session.report(trouble);
}

void RunKeeper::take_reports(Session& session, Toasts& toasts) {
    for (Result& taken : std::exchange(results_, {})) {
        const auto result = std::make_shared<Result>(std::move(taken));
        const std::vector<std::string>& failures = result->failures;
        const bool writes = result->task == Task::keep || result->task == Task::save;
        if (result->task == Task::look) offers_.assign(result->runs.begin(), result->runs.end());
        if (writes) --writing_;
        const bool leaves = result->leaving != 0 && result->leaving == leaving_ && departure_.then;
        leaves_now_ = leaves_now_ || (leaves && failures.empty());
        if (leaves && !failures.empty()) {
            // The user decides again, and can discard it.
            session.report("The run is not saved: " + failures.front(), Session::kAnswerStays);
            way_back_.clear();
            question_ = std::exchange(departure_, {});
        } else if (result->task == Task::keep) {
            say(session, failures.empty() ? "" : "The run is not saved: " + failures.front());
        } else {
            for (const std::string& failure : failures) session.report(failure);
        }
        if (writes && !failures.empty()) kept_step_ = -1;
        if (!failures.empty()) continue;
        if (result->task == Task::open) {
            const bool again = result->runs.front().folder == written_to_;  // as it was kept last
            const Then then = [this, result](Session& with, Toasts& news) { resume(with, news, *result); };
            if (again)
                then(session, toasts);
            else
                leave(session, toasts, "Resume " + result->runs.front().folder.filename().string(), then);
        }
        if (writes && folder_) written_to_ = result->written_to;
        if (result->task == Task::copy) copied_.emplace(result->name, result->written_to);
        if (result->task == Task::save)
            toasts.add(fmt::format("Saved the run as {}", result->written_to.filename().string()),
                       result->written_to.string());
    }
}

}  // namespace emergence
