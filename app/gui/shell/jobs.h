#pragma once
// Work off the window's thread, and the one queue through which its results come back.

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

/// Jobs of one lane run one after another, in the order of their posting. Lanes do not wait for each other.
enum class Lane {
    evaluation,        // moments of the past of run A
    other_evaluation,  // and of run B
    marks,             // further marks of run A's map
    preview,           // of the picture that an export would write
    exports,
    screenshots,
    runs,      // saves, reads and tidies folders of runs
    run_list,  // follows the folder of the runs' panel
    overlays,  // reads saved runs that are drawn beside the present one
    sweep,
    sweep_watch,  // follows a sweep's folder
    scores,       // asks an experiment which scores a sweep can have
    desktop_dialog,
    closing,  // ends trainers
};
inline constexpr size_t kLanes = static_cast<size_t>(Lane::closing) + 1;

/// What becomes of work that has not begun when the window closes.
enum class AtClosing {
    left_out,
    done,  // it writes what must not be lost
};

/// A posted job, as the window's thread sees it. Copies are the same job.
class Job {
  public:
    Job() = default;  // none: not active

    /// Asks the work to end early; `then` receives what it returns.
    void stop();
    /// The same, and `then` is not called any more, nor is news. Work that has not begun is left out.
    void cancel();
    /// Cancels it unless its work has begun; either way, work that is done is delivered.
    void withdraw();
    /// Posted, not cancelled, and `then` not called yet.
    bool active() const;
    /// Its work waits or is being done, whether or not somebody still wants it.
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

/// All functions are the window's thread's.
class Jobs {
  public:
    /// A job as its work sees it.
    class Task {
      public:
        bool stopping() const { return job_->stopping.stop_requested(); }
        std::stop_token stop_token() const { return job_->stopping.get_token(); }
        /// Calls `news` on the window's thread, before `then` and in order: progress, parts of the result.
        void tell(std::function<void()> news) const { jobs_.deliver({job_, std::move(news), false}); }
        /// Waits that long, or until it is stopped. Only where threads are allowed.
        void pause(std::chrono::milliseconds time) const;

      private:
        friend class Jobs;
        Task(Jobs& jobs, std::shared_ptr<Job::State> job) : jobs_(jobs), job_(std::move(job)) {}
        Jobs& jobs_;
        std::shared_ptr<Job::State> job_;
    };

    /// `on_change` is called from the lanes' threads when drain() has something to do. If threads are not allowed,
    /// each drain() does one job.
    explicit Jobs(std::function<void()> on_change = {}, bool threads_allowed = true)
        : on_change_(std::move(on_change)), threads_allowed_(threads_allowed) {}
    /// As close(), and waits for all.
    ~Jobs();

    /// Calls `work(task)` on the lane's thread, then `then(result)` in drain() (`then()` if there is no result). `work`
    /// owns or shares all that it reads; what `then` refers to lives as long as drain() is called, or cancels.
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
    /// The same for work without a result that nobody waits for.
    template <class Work>
    Job post(Lane lane, Work work) {
        return post(lane, std::move(work), [] {});
    }

    /// Calls `look(task)` again and again on the lane's thread, with pauses of `every`, until the job is stopped or
    /// cancelled.
    Job watch(Lane lane, std::chrono::milliseconds every, std::function<void(const Task&)> look);
    bool threads_allowed() const { return threads_allowed_; }
    /// Stops what is being done, and waits for what may write files; what waits is done only if it was posted so. Calls
    /// no `then`.
    void close();

    /// Once a frame: calls `then` and news of what was done. Returns the messages of the jobs that have thrown, whose
    /// `then` is not called, and of each `then` that throws.
    std::vector<std::string> drain();

  private:
    using Call = std::function<void()>;
    struct Posted {
        std::shared_ptr<Job::State> job;
        std::function<Call(const Task&)> work;
        AtClosing at_closing = AtClosing::left_out;
        // Without threads only: not before `due`, and if not 0 again after `again`.
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
        std::thread thread;  // started by the lane's first job
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
