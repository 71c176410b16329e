#include "app/gui/guess/network_maker.h"

#include <utility>

namespace emergence {

std::shared_ptr<const RiddleNetwork> NetworkMaker::find(const std::shared_ptr<const Riddles>& riddles, size_t index) {
    constexpr size_t kMostKept = 64;
    const std::string key = riddles->origin + " " + riddles->networks[index].file_name();
    if (const auto found = made_.find(key); found != made_.end()) return found->second;
    if (job_.active()) return nullptr;
    if (made_.size() >= kMostKept) made_.clear();
    job_ = jobs_.post(
        Lane::riddles,
        [riddles, index](const Jobs::Task&) { return std::make_shared<const RiddleNetwork>(riddles->network(index)); },
        [this, key](std::shared_ptr<const RiddleNetwork> network) { made_[key] = std::move(network); });
    return nullptr;
}

}  // namespace emergence
