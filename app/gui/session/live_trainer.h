#pragma once
// The way to a real trainer.

#include <utility>

#include "app/gui/session/trainer_link.h"

namespace emergence {

class LiveTrainer : public TrainerLink {
  public:
    LiveTrainer(const Restart& first, const Trainer::Options& options) : trainer_(first, options) {}

    void send(Command command) override { trainer_.send(std::move(command)); }
    Published poll() override { return trainer_.poll(); }
    std::vector<Notice> take_notices() override { return trainer_.take_notices(); }
    double longest_wait() const override { return trainer_.longest_wait(); }

  private:
    Trainer trainer_;
};

}  // namespace emergence
