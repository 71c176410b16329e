#pragma once
// Holds a run for Python, which can train it in pieces, read it in between, and save and load it as the programs do.

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/python/native/convert.h"
#include "core/experiments/identify.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/trainer/trainer.h"
#include "core/training/multi_task_td.h"

namespace emergence::python {

/// Holds functions of Python that training calls on its own threads, and the first exception that one of them raised.
struct OwnParts {
    py::object loss = py::none();
    py::object world = py::none();
    std::mutex mutex;
    std::exception_ptr raised;
    /// The total time of calls on the threads, with the wait for Python's lock.
    double seconds = 0.0;

    bool empty() const { return loss.is_none() && world.is_none(); }
};

/// One Python thread at a time may call it. Another one meanwhile gets RuntimeError.
class LabRun {
  public:
    /// Makes a run at step 0. loss and world are functions as in OwnParts, or None.
    LabRun(const std::string& experiment, const py::dict& fields, int threads, py::object loss, py::object world);
    /// Opens a saved run at the step of its checkpoint, with its moments.
    static std::unique_ptr<LabRun> loaded(const std::string& folder, int threads);
    /// Makes a run from the bytes of state().
    static std::unique_ptr<LabRun> from_state(const std::string& experiment, const py::dict& fields, int threads,
                                              py::object loss, py::object world, const py::bytes& checkpoint,
                                              const std::optional<py::bytes>& moments, double seconds);

    /// Trains to `step` in chunks, without Python's lock, looking for Ctrl-C between them. If a function of Python
    /// raises, the run stands where the chunk began, and the exception is raised.
    void advance_to(int64_t step);
    /// Raises the target, if a live setting is the target. Throws InputError if none is.
    void extend_to(int64_t step);

    int64_t step() const { return run_->step(); }
    int64_t target() const { return run_->study().target_step(); }
    bool finished() const { return run_->finished(); }
    double seconds() const { return seconds_; }
    int threads() const { return pool_->threads(); }
    const std::string& experiment() const { return info_->name; }
    const std::string& notice() const { return notice_; }
    const ExperimentInfo& info() const { return *info_; }
    const std::shared_ptr<OwnParts>& own() const { return own_; }
    /// Calls `work` without Python's lock, and raises what a function of Python raised meanwhile. If there are such
    /// functions, it calls `work` on another thread. Ctrl-C is then raised after `work`, not inside them.
    void outside(const std::function<void()>& work);
    Study& study() { return run_->study(); }
    const MetricHistory& history() const { return history_; }

    py::dict settings() const { return dict_of(settings_); }
    std::string config() const;
    /// Returns the present moment, with plots, scalars and scenes only if `whole`. It is kept until training goes on.
    std::shared_ptr<const Snapshot> snapshot(bool whole);
    py::dict weights() { return views_of(snapshot(false)->weights); }
    py::dict metrics() const;
    std::string metrics_csv();
    py::list seeds() const;
    std::vector<int64_t> moment_steps() const;
    /// Returns the weights at a saved moment.
    py::dict weights_at(int64_t step);

    void save(const std::string& folder);
    void save_weights(const std::string& file);
    /// Returns the checkpoint and the moments as bytes.
    py::tuple state();

  private:
    LabRun() = default;
    void begin(const std::string& experiment, const py::dict& fields, int threads, py::object loss, py::object world);
    void make(int threads);
    void restored(const Checkpoint& checkpoint);
    /// Throws std::runtime_error if another thread has the run.
    std::unique_lock<std::mutex> taken();
    void rethrow_raised();
    bool has_raised();
    void train_chunk(int64_t end);

    std::shared_ptr<OwnParts> own_ = std::make_shared<OwnParts>();
    std::shared_ptr<const ExperimentInfo> info_;
    Settings settings_;
    std::unique_ptr<ThreadPool> pool_;
    std::unique_ptr<Run> run_;
    /// Takes the states of saved moments. It is null until one is asked for.
    std::unique_ptr<Run> past_;
    MetricHistory history_;
    std::unique_ptr<MomentLog> moments_;
    ChunkSize chunk_{0.1};
    double seconds_ = 0.0;
    std::string notice_;
    std::shared_ptr<const Snapshot> outline_, whole_;
    std::mutex busy_;
};

/// The functions in the form in which the library calls them.
OwnTd own_td(const std::shared_ptr<OwnParts>& own);

/// Makes experiment "td" with functions of Python.
std::shared_ptr<const ExperimentInfo> experiment_with(const std::shared_ptr<OwnParts>& own, const ExperimentInfo& info);

}  // namespace emergence::python
