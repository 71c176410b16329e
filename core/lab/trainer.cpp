#include "core/lab/trainer.h"

#include <chrono>
#include <exception>
#include <limits>
#include <thread>
#include <utility>

#include "core/lab/inbox.h"
#include "core/lab/outbox.h"
#include "core/lab/training_loop.h"

namespace emergence {
namespace {

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

class Trainer::Worker {
  public:
    Worker(const Restart& first, Options options) : loop_(std::move(options), outbox_, steady_seconds) {
        inbox_.push(first);
        thread_ = std::thread([this] { work(); });
    }

    ~Worker() {
        inbox_.close();
        thread_.join();
    }

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    Inbox& inbox() { return inbox_; }
    Outbox& outbox() { return outbox_; }
    double longest_wait() const { return meter_.longest(); }

  private:
    void work() {
        while (!inbox_.closed()) {
            double wait = std::numeric_limits<double>::infinity();
            try {
                loop_.obey(inbox_.drain());
                wait = loop_.turn();
            } catch (const std::exception& error) {  // e.g. out of memory: do nothing until the next command
                outbox_.notify({error.what()});
            } catch (...) {
                outbox_.notify({"the trainer met an unknown exception"});
            }
            inbox_.wait(wait);
        }
    }

    LockMeter meter_;
    Inbox inbox_{meter_};
    Outbox outbox_{meter_};
    TrainingLoop loop_;  // once thread_ runs, only it uses the loop
    std::thread thread_;
};

Trainer::Trainer(const Restart& first, Options options)
    : worker_(std::make_unique<Worker>(first, std::move(options))) {}
Trainer::~Trainer() = default;

void Trainer::send(Command command) { worker_->inbox().push(std::move(command)); }
Published Trainer::poll() { return worker_->outbox().take(); }
std::vector<Notice> Trainer::take_notices() { return worker_->outbox().take_notices(); }
double Trainer::longest_wait() const { return worker_->longest_wait(); }

}  // namespace emergence
