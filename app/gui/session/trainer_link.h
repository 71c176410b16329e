#pragma once
// The way to a trainer, so that all of the window can be tested without a thread.

#include <vector>

#include "core/lab/trainer/trainer.h"

namespace emergence {

class TrainerLink {
  public:
    virtual ~TrainerLink() = default;
    virtual void send(Command command) = 0;
    virtual Published poll() = 0;
    virtual std::vector<Notice> take_notices() = 0;
    virtual double longest_wait() const = 0;
};

}  // namespace emergence
