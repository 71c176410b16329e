#pragma once
// Keeps every run of the window while it trains, offers to go on with one that was interrupted, saves and opens
// runs. All files are written and read by jobs.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/panel.h"
#include "app/open/run_folder.h"

namespace emergence {

class RunKeeper {
  public:
    explicit RunKeeper(Jobs& jobs) : jobs_(jobs) {}

    /// Where runs are kept; looks there for interrupted ones at once. Without this nothing is kept.
    void use(std::filesystem::path runs, FindExperiment find);
    /// The session's first run is this one, opened already: it goes on in its folder, unless nothing is to be
    /// written (`writes`).
    void began_with(const RunToOpen& run, Session& session, bool writes = true);

    /// Once a frame: keeps the run every `interval` seconds (0: never) and at its end, `now` being seconds
    /// that never go back; takes what has been read and written.
    void turn(Session& session, Toasts& toasts, double interval, double now);
    /// Whether the run is due to be kept, so that a frame is needed without any other reason.
    bool due(const Session& session, double interval, double now) const;
    /// Keeps the present state in a folder that stays.
    void save(Session& session);
    /// Goes on with the run of a folder, as soon as it is read; `run` as Session::resume has it.
    void open(const std::filesystem::path& folder, const FindExperiment& find, std::optional<bool> run = {});
    /// Another run is to take the place of the present one: `then` is called once that is written to its last step, or
    /// could not be, which a banner says. A short one that has no folder is not written. `way_back` says how the user
    /// gets back to the run that was left, "" if none was.
    using Then = std::function<void(Session& session, Toasts& toasts, const std::string& way_back)>;
    void leave(Session& session, Toasts& toasts, Then then);
    /// Another run takes the place of the present one for a while: `then` receives its whole state, null if there is no
    /// run yet. Its folder is written to that step and stays its own until come_back().
    using Aside = std::function<void(std::shared_ptr<const SavedRun>)>;
    void set_aside(Session& session, Aside then);
    /// The run that was set aside is about to resume from this checkpoint; null: it is not wanted any more.
    void come_back(std::shared_ptr<const Checkpoint> checkpoint);
    /// The window closes in order: the run is kept to its last step if it has a folder, was to be saved or is longer
    /// than a short one. Waits a few seconds for its state, and until all is written. A run that is set aside is
    /// offered again. Returns what is saved and how to go on, or what failed; "" for neither.
    std::string finish(Session& session);

    /// The interrupted run that is offered; null for none.
    const RunToOpen* offer() const { return offers_.empty() ? nullptr : &offers_.front(); }
    /// Takes the offer or leaves it.
    void answer(bool go_on);
    /// Of the present run; empty where it has none yet.
    const std::filesystem::path& folder() const { return present_.path; }

  private:
    static constexpr const char* kSavedBefore = "The previous run is saved: Ctrl + O lists it";
    static constexpr const char* kWayBack = "Ctrl + Z returns to the previous run";

    enum class Task { look, open, quiet, keep, save, leave, aside };
    // Waits for the run's state. What only writes the run is served first, then what takes its place.
    struct Wish {
        Task task = Task::keep;
        Then then = {};  // of leave, once the run is written
        Aside aside = {};
        bool for_good = false;
        uint64_t number = 0;
        int64_t step = 0;  // that was seen: an older state does not do
        bool writing = false, written = false, failed = false;
    };
    // Where a run is written to; the folder is null if it has none.
    struct Place {
        std::shared_ptr<RunFolder> folder;
        std::filesystem::path path;
        int64_t step = -1;  // that it holds, of a run that is set aside
    };
    // What a job brings back.
    struct Result {
        Task task = Task::quiet;
        std::vector<std::string> failures;  // a sentence each
        std::vector<RunToOpen> runs;
        std::shared_ptr<RunFolder> folder;  // that was written to, or in which the run can be resumed
        std::string why_not;                // it cannot
        std::optional<bool> run;            // train at once
        std::filesystem::path written_to;
        uint64_t wish = 0;  // the number of what it was written for
    };
    void start(Task task, std::function<void(Result&)> work);
    void follow_run(Session& session, double now);
    void wish(Session& session, Wish wish);
    void ask(Session& session);
    void serve(Session& session, Toasts& toasts);
    void serve_from_left(Session& session);
    void set_aside_now(const Session& session, const Aside& then, const std::shared_ptr<const SavedRun>& saved);
    bool trained_long(const Session& session) const;
    bool worth_keeping(const Session& session) const;
    bool write(const std::shared_ptr<const SavedRun>& saved, const MetricHistory& history, bool for_good,
               uint64_t wish = 0);
    void leave_folder();
    void take_reports(Session& session, Toasts& toasts);
    void take_written(const Result& result, Session& session);
    void resume(Session& session, Toasts& toasts, Result& result, const std::string& way_back);
    void say(Session& session, const std::string& trouble);

    std::filesystem::path runs_;  // "" for none
    FindExperiment find_;
    std::deque<RunToOpen> offers_;

    Place present_;
    Place next_;  // of the run that is being resumed, until it is there
    Place aside_;
    std::shared_ptr<const Checkpoint> next_from_;
    bool comes_back_ = false;  // next_from_ is newer than its folder may be
    uint64_t run_number_ = 0;
    double interval_ = 0.0;   // of the last turn()
    double asked_at_ = 0.0;   // for the state, last
    int64_t kept_step_ = -1;  // the last one that is in the folder
    std::string trouble_;     // said already
    std::deque<Wish> wishes_;
    uint64_t last_wish_ = 0;
    int writing_ = 0;  // jobs that write the run

    Jobs& jobs_;
    Job last_;                     // after all others
    std::vector<Result> results_;  // of jobs that are over, for the next turn()
};

}  // namespace emergence
