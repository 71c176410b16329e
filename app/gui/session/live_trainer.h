#pragma once
// The way to a real trainer. Where both want a core, drawing comes before training.

#include <sys/resource.h>

#include <future>
#include <memory>
#include <utility>

#include "app/gui/session/trainer_link.h"

namespace emergence {

class LiveTrainer : public TrainerLink {
  public:
    LiveTrainer(const Restart& first, const Trainer::Options& options) {
        const auto start = [&] {
            // On Linux this is a thread's own, and goes over to those that it starts.
            if (options.own_thread) ::setpriority(PRIO_PROCESS, 0, kNice);
            trainer_ = std::make_unique<Trainer>(first, options);
        };
        std::async(options.own_thread ? std::launch::async : std::launch::deferred, start).get();
    }

    void send(Command command) override { trainer_->send(std::move(command)); }
    Published poll() override { return trainer_->poll(); }
    std::vector<Notice> take_notices() override { return trainer_->take_notices(); }
    double longest_wait() const override { return trainer_->longest_wait(); }

  private:
    static constexpr int kNice = 5;

    std::unique_ptr<Trainer> trainer_;
};

}  // namespace emergence
