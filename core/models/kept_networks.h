#pragma once
// Networks of a minibatch's groups of windows, which hold their tapes from the forward to the backward pass.

#include <cstddef>
#include <vector>

#include "core/base/lanes.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence::EMERGENCE_LANES {

/// One network for each group and part, or one for all if so many tapes would not stay in the cache.
template <class Network>
class KeptNetworks {
  public:
    template <class Sizes>
    KeptNetworks(const PhasedLayout& layout, const Sizes& sizes) {
        networks_.emplace_back(sizes);
        const size_t all = static_cast<size_t>((layout.phases + 1) * kParts);
        if (all * networks_[0].bytes() > kMostBytes) return;
        networks_.reserve(all);
        while (networks_.size() < all) networks_.emplace_back(sizes);
    }

    /// Whether of(group, part) still has the tape of that group's last forward pass.
    bool keep_tapes() const { return networks_.size() > 1; }
    Network& of(int group, int part) { return networks_[keep_tapes() ? place(group, part) : 0]; }
    /// For what all networks share.
    std::vector<Network>& all() { return networks_; }

  private:
    static constexpr size_t kMostBytes = size_t{1} << 20;
    static size_t place(int group, int part) { return static_cast<size_t>(group * kParts + part); }

    std::vector<Network> networks_;
};

}  // namespace emergence::EMERGENCE_LANES
