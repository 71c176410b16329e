#include "core/lab/trainer/trainer.h"

#include <chrono>
#include <cmath>
#include <exception>
#include <thread>

#include "core/files/atomic_write.h"
#include "core/lab/trainer/mailboxes.h"
#include "core/lab/trainer/training_loop.h"

namespace emergence {
namespace {

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

class Trainer::Worker {
  public:
    Worker(const Restart& first, const Options& options)
        : wake_(options.on_publish),
          slice_(options.own_thread ? 0.0 : options.slice),
          loop_(options, outbox_, steady_seconds) {
        inbox_.push(first);
        if (options.own_thread) thread_ = std::thread([this] { work(); });
    }

    ~Worker() {
        inbox_.close();
        if (thread_.joinable()) thread_.join();
    }

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void send(Command command) {
        inbox_.push(std::move(command));
        if (!thread_.joinable() && wake_) wake_();
    }

    Published poll() {
        if (!thread_.joinable()) work_for_a_slice();
        return outbox_.take();
    }

    Outbox& outbox() { return outbox_; }
    double longest_wait() const { return meter_.longest(); }

  private:
    // Returns the seconds until the next turn.
    double turn() {
        try {
            loop_.obey(inbox_.drain());
            return loop_.turn();
        } catch (const std::exception& error) {  // e.g. out of memory: do nothing until the next command
            outbox_.notify({reason_of(error)});
        } catch (...) {
            outbox_.notify({"the trainer met an unknown exception"});
        }
        return std::numeric_limits<double>::infinity();
    }

    void work() {
        while (!inbox_.closed()) inbox_.wait(turn());
    }

    void work_for_a_slice() {
        const double end = steady_seconds() + slice_;
        double wait = 0.0;
        while (wait <= 0.0 && steady_seconds() < end) wait = turn();
        if (std::isfinite(wait) && wake_) wake_();
    }

    std::function<void()> wake_;
    double slice_ = 0.0;
    LockMeter meter_;
    Inbox inbox_{meter_};
    Outbox outbox_{meter_};
    TrainingLoop loop_;  // once thread_ runs, only it uses the loop
    std::thread thread_;
};

Trainer::Trainer(const Restart& first, const Options& options) : worker_(std::make_unique<Worker>(first, options)) {}
Trainer::~Trainer() = default;

void Trainer::send(Command command) { worker_->send(std::move(command)); }
Published Trainer::poll() { return worker_->poll(); }
std::vector<Notice> Trainer::take_notices() { return worker_->outbox().take_notices(); }
double Trainer::longest_wait() const { return worker_->longest_wait(); }

}  // namespace emergence
