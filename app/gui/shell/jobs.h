#pragma once
// Work off the window's thread, and the queue through which results return to it.

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace emergence {

/// Jobs of one lane run one after another, in the order of posting. Lanes do not wait for each other.
enum class Lane {
    evaluation,        // moments of the past of run A
    other_evaluation,  // the same for run B
    marks,             // further marks on run A's map
    preview,           // the picture that an export would write
    exports,
    runs,      // saves, reads and tidies folders of runs
    run_list,  // follows the folder that the runs' panel lists
    overlays,  // reads saved runs that are drawn beside the present one
    sweep,
    sweep_watch,  // follows a sweep's folder
    scores,       // finds the scores that a sweep of an experiment can have
    desktop_dialog,
    closing,  // ends run B's trainer
};
inline constexpr size_t kLanes = static_cast<size_t>(Lane::closing) + 1;

/// What happens to work that has not begun when the window closes.
enum class AtClosing {
    left_out,
    done,  // it writes data that must not be lost
};

/// A posted job as the window's thread sees it. Copies refer to the same job.
class Job {
  public:
    Job() = default;  // no job; it is not active

    /// Asks the work to end early. `then` still receives its result.
    void stop();
    /// Asks the work to end early, and drops its result and its news. Work that has not begun is left out.
    void cancel();
    /// Cancels the job if its work has not begun. Otherwise the result is still delivered.
    void withdraw();
    /// True from posting until `then` is called or the job is cancelled.
    bool active() const;
    /// True while the work waits or runs, even if nobody wants its result any more.
    bool unfinished() const;

  private:
    friend class Jobs;
    enum class Stage { waiting, working, over, delivered };
    struct State {
        std::stop_source stopping;
        std::atomic<bool> cancelled = false;
        std::atomic<Stage> stage = Stage::waiting;
    };
    explicit Job(std::shared_ptr<State> state) : state_(std::move(state)) {}

    std::shared_ptr<State> state_;
};

/// Runs jobs on lanes. The window's thread alone calls these functions.
class Jobs {
  public:
    /// A job as its work sees it.
    class Task {
      public:
        bool stopping() const { return job_->stopping.stop_requested(); }
        std::stop_token stop_token() const { return job_->stopping.get_token(); }
        /// Calls `news` on the window's thread before `then`, in order. It carries progress and parts of the result.
        void tell(std::function<void()> news) const { jobs_.deliver({job_, std::move(news), false}); }
        /// Waits for this time or until the job is stopped. Call it only if threads are allowed.
        void pause(std::chrono::milliseconds time) const;

      private:
        friend class Jobs;
        Task(Jobs& jobs, std::shared_ptr<Job::State> job) : jobs_(jobs), job_(std::move(job)) {}
        Jobs& jobs_;
        std::shared_ptr<Job::State> job_;
    };

    /// The lanes' threads call `on_change` when drain() has something to do. If threads are not allowed, each drain()
    /// does one job.
    explicit Jobs(std::function<void()> on_change = {}, bool threads_allowed = true)
        : on_change_(std::move(on_change)), threads_allowed_(threads_allowed) {}
    /// Closes, then waits for all lanes.
    ~Jobs();

    /// Calls `work(task)` on the lane's thread, then `then(result)` in drain(), or `then()` if the work returns
    /// nothing. `work` owns or shares all that it reads. What `then` refers to must outlive the job or cancel it.
    template <class Work, class Then>
    Job post(Lane lane, Work work, Then then, AtClosing at_closing = AtClosing::left_out) {
        return start(lane, at_closing,
                     [does = std::move(work), call = std::move(then)](const Task& task) mutable -> Call {
                         if constexpr (std::is_void_v<std::invoke_result_t<Work&, const Task&>>) {
                             does(task);
                             return std::move(call);
                         } else {
                             const auto result = std::make_shared<std::invoke_result_t<Work&, const Task&>>(does(task));
                             return [result, then_call = std::move(call)]() mutable { then_call(std::move(*result)); };
                         }
                     });
    }
    /// The same for work whose end nobody waits for.
    template <class Work>
    Job post(Lane lane, Work work) {
        return post(lane, std::move(work), [] {});
    }

    /// Calls `look(task)` on the lane's thread repeatedly, with pauses of `every`, until the job is stopped or
    /// cancelled.
    Job watch(Lane lane, std::chrono::milliseconds every, std::function<void(const Task&)> look);
    bool threads_allowed() const { return threads_allowed_; }
    /// Stops running work and waits for work that may write files. Waiting jobs run only if they were posted with
    /// AtClosing::done. Calls no `then`.
    void close();

    /// Call once per frame: delivers results and news. Returns the messages of jobs that have thrown, whose `then` is
    /// not called, and of every `then` that throws.
    std::vector<std::string> drain();

  private:
    using Call = std::function<void()>;
    struct Posted {
        std::shared_ptr<Job::State> job;
        std::function<Call(const Task&)> work;
        AtClosing at_closing = AtClosing::left_out;
        // Used only without threads: the job runs at `due` at the earliest, and again after `again` unless that is 0.
        std::chrono::milliseconds again = {};
        std::chrono::steady_clock::time_point due = {};
    };
    struct Delivery {
        std::shared_ptr<Job::State> job;
        Call call;
        bool last = true;
    };
    struct Worker {
        std::deque<Posted> waiting;
        std::shared_ptr<Job::State> working;
        std::condition_variable wake;
        std::thread thread;  // the lane's first job starts it
    };
    Job start(Lane lane, AtClosing at_closing, std::function<Call(const Task&)> work,
              std::chrono::milliseconds again = {});
    void run(Worker& worker);
    void end(Worker& worker);
    void perform_next();
    Worker* worker_whose_job_is_due();
    void perform(const Posted& posted);
    void deliver(Delivery delivery);

    std::function<void()> on_change_;
    bool threads_allowed_ = true;
    std::mutex mutex_;
    bool closing_ = false;
    std::vector<Delivery> deliveries_;
    std::array<Worker, kLanes> workers_;
};

}  // namespace emergence
