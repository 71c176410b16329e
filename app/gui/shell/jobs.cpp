#include "app/gui/shell/jobs.h"

#include <exception>
#include <stdexcept>
#include <system_error>

#include "core/files/atomic_write.h"

namespace emergence {
namespace {

using JobClock = std::chrono::steady_clock;

}  // namespace

void Job::stop() {
    if (state_) state_->stopping.request_stop();
}

void Job::cancel() {
    if (!state_) return;
    state_->cancelled = true;
    state_->stopping.request_stop();
}

void Job::withdraw() {
    // One atomic step, so the lane's thread cannot begin in between.
    auto waiting = Stage::waiting;
    if (state_ && state_->stage.compare_exchange_strong(waiting, Stage::over)) cancel();
}

bool Job::active() const { return state_ && !state_->cancelled && state_->stage != Stage::delivered; }

bool Job::unfinished() const { return state_ && (state_->stage == Stage::waiting || state_->stage == Stage::working); }

void Jobs::Task::pause(std::chrono::milliseconds time) const {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, stop_token(), time, [] { return false; });
}

void Jobs::close() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        for (Worker& worker : workers_) {
            std::erase_if(worker.waiting,
                          [](const Posted& posted) { return posted.at_closing == AtClosing::left_out; });
            if (worker.working) worker.working->stopping.request_stop();
        }
    }
    for (const Lane lane : {Lane::exports, Lane::runs, Lane::run_list, Lane::sweep})
        end(workers_[static_cast<size_t>(lane)]);
}

void Jobs::end(Worker& worker) {
    worker.wake.notify_one();
    if (worker.thread.joinable()) worker.thread.join();
    for (const Posted& left : worker.waiting) perform(left);  // runs only if no threads are allowed
    worker.waiting.clear();
}

Jobs::~Jobs() {
    close();
    for (Worker& worker : workers_) end(worker);
}

Job Jobs::start(Lane lane, AtClosing at_closing, std::function<Call(const Task&)> work,
                std::chrono::milliseconds again) {
    Worker& worker = workers_[static_cast<size_t>(lane)];
    const auto job = std::make_shared<Job::State>();
    {
        const std::lock_guard lock(mutex_);
        worker.waiting.push_back({job, std::move(work), at_closing, again, JobClock::now()});
    }
    if (!threads_allowed_) {
        if (on_change_) on_change_();
        return Job(job);
    }
    try {
        if (!worker.thread.joinable()) worker.thread = std::thread([this, &worker] { run(worker); });
        worker.wake.notify_one();
    } catch (const std::system_error& error) {  // the system starts no further thread; nobody else has seen the job
        const std::lock_guard lock(mutex_);
        worker.waiting.pop_back();
        job->stage = Job::Stage::over;
        deliveries_.push_back({job, [message = reason_of(error)] { throw std::runtime_error(message); }});
    }
    return Job(job);
}

Job Jobs::watch(Lane lane, std::chrono::milliseconds every, std::function<void(const Task&)> look) {
    if (threads_allowed_)
        return post(lane, [every, look = std::move(look)](const Task& task) {
            for (; !task.stopping(); task.pause(every)) look(task);
        });
    const auto look_once = [look = std::move(look)](const Task& task) {
        look(task);
        return Call();
    };
    return start(lane, AtClosing::left_out, look_once, every);
}

Jobs::Worker* Jobs::worker_whose_job_is_due() {
    Worker* first = nullptr;
    const auto due_of = [](const Worker& worker) {
        const Posted& next = worker.waiting.front();
        return next.job->stopping.stop_requested() ? JobClock::time_point::min() : next.due;
    };
    for (Worker& worker : workers_)
        if (!worker.waiting.empty() && due_of(worker) <= JobClock::now() &&
            (first == nullptr || due_of(worker) < due_of(*first)))
            first = &worker;
    return first;
}

// One job per frame, so the window is drawn in between.
void Jobs::perform_next() {
    Worker* worker = worker_whose_job_is_due();
    if (worker == nullptr) return;
    Posted next = std::move(worker->waiting.front());
    worker->waiting.pop_front();
    perform(next);
    if (next.again.count() > 0 && !next.job->stopping.stop_requested()) {
        next.job->stage = Job::Stage::waiting;
        next.due = JobClock::now() + next.again;
        worker->waiting.push_front(std::move(next));
    }
    if (worker_whose_job_is_due() != nullptr && on_change_) on_change_();
}

void Jobs::run(Worker& worker) {
    std::unique_lock lock(mutex_);
    while (true) {
        worker.wake.wait(lock, [&] { return closing_ || !worker.waiting.empty(); });
        if (worker.waiting.empty()) return;
        {
            const Posted next = std::move(worker.waiting.front());
            worker.waiting.pop_front();
            worker.working = next.job;
            lock.unlock();
            perform(next);
        }
        lock.lock();
        worker.working.reset();
    }
}

void Jobs::perform(const Posted& posted) {
    Job::State& job = *posted.job;
    Delivery delivery{posted.job, {}};
    auto waiting = Job::Stage::waiting;
    if (!job.cancelled && job.stage.compare_exchange_strong(waiting, Job::Stage::working)) {
        try {
            delivery.call = posted.work(Task(*this, posted.job));
        } catch (const std::exception& error) {
            delivery.call = [message = reason_of(error)] { throw std::runtime_error(message); };
        }
    }
    job.stage = Job::Stage::over;
    if (delivery.call) deliver(std::move(delivery));
}

void Jobs::deliver(Delivery delivery) {
    {
        const std::lock_guard lock(mutex_);
        if (closing_) return;
        deliveries_.push_back(std::move(delivery));
    }
    if (on_change_) on_change_();
}

std::vector<std::string> Jobs::drain() {
    if (!threads_allowed_) perform_next();
    std::vector<Delivery> deliveries;
    {
        const std::lock_guard lock(mutex_);
        deliveries.swap(deliveries_);
    }
    std::vector<std::string> troubles;
    for (const Delivery& delivery : deliveries) {
        if (delivery.job->cancelled) continue;
        if (delivery.last) delivery.job->stage = Job::Stage::delivered;
        try {
            delivery.call();
        } catch (const std::exception& error) {
            troubles.emplace_back(error.what());
        }
    }
    return troubles;
}

}  // namespace emergence
