#pragma once
// Networks that are guessed, made again off the window's thread.

#include <map>
#include <memory>
#include <string>

#include "app/gui/shell/jobs.h"
#include "core/lab/guessing/riddles.h"

namespace emergence {

class NetworkMaker {
  public:
    explicit NetworkMaker(Jobs& jobs) : jobs_(jobs) {}
    ~NetworkMaker() { job_.cancel(); }
    NetworkMaker(const NetworkMaker&) = delete;
    NetworkMaker& operator=(const NetworkMaker&) = delete;

    /// The network; null while it is being made, which the first request begins.
    std::shared_ptr<const RiddleNetwork> find(const std::shared_ptr<const Riddles>& riddles, size_t index);

  private:
    Jobs& jobs_;
    Job job_;
    std::map<std::string, std::shared_ptr<const RiddleNetwork>> made_;
};

}  // namespace emergence
