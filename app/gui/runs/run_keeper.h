#pragma once
// Saves every run of the window while it trains, offers to resume an interrupted run, and opens saved runs. Jobs read
// and write all files.

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

    /// Sets the folder of saved runs and looks there for interrupted ones. Without this call nothing is saved.
    void use(std::filesystem::path runs, FindExperiment find);
    /// The session has begun with this opened run. It is saved in its own folder, unless `writes` is false.
    void began_with(const RunToOpen& run, Session& session, bool writes = true);

    /// Call once per frame: saves the run every `interval` seconds (0: never) and at its end, and takes finished reads
    /// and writes. `now` is in seconds that never decrease.
    void turn(Session& session, Toasts& toasts, double interval, double now);
    /// True if the run must be saved now, so a frame is needed.
    bool due(const Session& session, double interval, double now) const;
    /// Saves the present state in a folder that is never removed.
    void save(Session& session);
    /// Resumes the run of a folder as soon as it is read; `run` as in Session::resume.
    void open(const std::filesystem::path& folder, const FindExperiment& find, std::optional<bool> run = {});
    /// Another run will replace the present one. `then` is called once the present run is saved to its last step, or
    /// could not be saved, which a banner says. A short run without a folder is not saved. `way_back` tells the user
    /// how to return; "" if nothing was left.
    using Then = std::function<void(Session& session, Toasts& toasts, const std::string& way_back)>;
    void leave(Session& session, Toasts& toasts, Then then);
    /// Another run replaces the present one for a while. `then` receives the whole state, or null if there is no run
    /// yet. The folder is written to that step and reserved until come_back().
    using Aside = std::function<void(std::shared_ptr<const SavedRun>)>;
    void set_aside(Session& session, Aside then);
    /// The run that was set aside will resume from this checkpoint. null: it is not wanted any more.
    void come_back(std::shared_ptr<const Checkpoint> checkpoint);
    /// The window closes. Saves the run to its last step if it has a folder, was to be saved, or is not short. Waits a
    /// few seconds for the state and until everything is written. A run that is set aside will be offered again.
    /// Returns what was saved and how to resume it, or what failed; "" for neither.
    std::string finish(Session& session);

    /// The interrupted run that is offered; null if none.
    const RunToOpen* offer() const { return offers_.empty() ? nullptr : &offers_.front(); }
    /// Accepts or declines the offer.
    void answer(bool go_on);
    /// The present run's folder; empty if it has none yet.
    const std::filesystem::path& folder() const { return present_.path; }

  private:
    static constexpr const char* kSavedBefore = "The previous run is saved: Ctrl + O lists it";
    static constexpr const char* kWayBack = "Ctrl + Z returns to the previous run";

    enum class Task { look, open, quiet, keep, save, leave, aside };
    // A request that waits for the run's state. Requests that only save are served before those that replace the run.
    struct Wish {
        Task task = Task::keep;
        Then then = {};  // for leave: called once the run is written
        Aside aside = {};
        bool for_good = false;
        uint64_t number = 0;
        int64_t step = 0;  // seen step; an older state is not enough
        bool writing = false, written = false, failed = false;
    };
    // The place a run is written to. The folder is null if the run is not written.
    struct Place {
        std::shared_ptr<RunFolder> folder;
        std::filesystem::path path;
        int64_t step = -1;  // the step that it holds, for a run that is set aside
    };
    // The result of a job.
    struct Result {
        Task task = Task::quiet;
        std::vector<std::string> failures;  // one sentence each
        std::vector<RunToOpen> runs;
        std::shared_ptr<RunFolder> folder;  // the folder that was written, or in which the run resumes
        std::string why_not;                // why the run cannot be saved in its folder
        std::optional<bool> run;            // whether to train at once
        std::filesystem::path written_to;
        uint64_t wish = 0;  // number of the request that it was written for
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
    Place next_;  // place of the run that is being resumed, until it is there
    Place aside_;
    std::shared_ptr<const Checkpoint> next_from_;
    bool comes_back_ = false;  // next_from_ may be newer than its folder
    uint64_t run_number_ = 0;
    double interval_ = 0.0;   // of the last turn()
    double asked_at_ = 0.0;   // when the state was last asked for
    int64_t kept_step_ = -1;  // the last step in the folder
    std::string trouble_;     // trouble that was reported already
    std::deque<Wish> wishes_;
    uint64_t last_wish_ = 0;
    int writing_ = 0;  // number of running writes

    Jobs& jobs_;
    Job last_;                     // runs after all others
    std::vector<Result> results_;  // finished jobs for the next turn()
};

}  // namespace emergence
