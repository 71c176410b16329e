#pragma once
// MASTER: many instances of a base algorithm at several time scales, with tests that restart them all
// (Algorithms 1 and 2 in Appendix C of Chen et al. 2025, after Wei and Luo 2021).
//
// A block of order n lasts 2^n rounds. Within it an instance of order m may begin at every multiple of 2^m;
// that of order n always does. The live instance of the lowest order acts and only it learns. A block that
// ends gives way to one of the next order, a test that fires to the first one again, everything fresh.

#include <vector>

#include "core/algorithms/bandit_policy.h"

namespace emergence {

struct MasterOptions {
    BanditPolicyFactory base;
    /// The theory's constants: blocks from order 0, instances scheduled with probability rho(2^n) / rho(2^m),
    /// rho(t) = 1 / sqrt(t), and tests with rho_hat(t) = 6 (log2 T + 1) ln T rho(t), T the rounds of the
    /// whole play:
    ///   Test 1, where an instance ends:  mean R - U >= 9 rho_hat(2^m), U the block's least r~ so far;
    ///   Test 2, after every round:       mean (r~ - R) over the block >= 3 rho_hat(rounds so far).
    /// Otherwise the practical ones, our own: blocks from order 7, instances of order 4 and above with
    /// probability `probability` 2^(-(n-m)/2), sigma the environment's noise_scale and
    ///   Test 1:  mean R - U >= 3 sigma / sqrt(2^m);
    ///   Test 2:  the sum of <a, w^> - R over the block's last w = 8, 16, 32, ... rounds >= 3 sigma sqrt(w),
    ///   for any w.
    bool theory = false;
    double probability = 0.0;  // practical: q
};

/// What happened, for the picture. Rounds count from 0.
struct MasterTimeline {
    struct Instance {
        int order = 0;
        int begin = 0, end = 0;  // its rounds are begin .. end - 1; cut short by a restart
    };
    struct Restart {
        int round = 0;  // behind which everything began anew
        int test = 1;   // 1 or 2
    };
    std::vector<Instance> instances;
    std::vector<int> active;  // a round: the order that acted
    /// A round: each test's statistic over its threshold, at 1 it fires; the largest where there are several.
    /// NaN where no test was due.
    std::vector<double> test_1, test_2;
    std::vector<Restart> restarts;
    std::vector<int> blocks;  // the first round of each block
};

class Master final : public BanditPolicy {
  public:
    explicit Master(const MasterOptions& options) : options_(options) {}
    void reset(const BanditTrajectory& world) override;
    BanditChoice choose(int round, Stream& random) override;
    void observe(int arm, double reward) override;

    const MasterTimeline& timeline() const { return timeline_; }

  private:
    struct Slot {
        std::unique_ptr<BanditPolicy> policy;
        int end = 0;  // the round behind its last; live while round < end
        int begin = 0;
        size_t recorded = 0;  // in the timeline
    };

    void begin_block(int round, int order);
    void schedule(int round, Stream& random);
    double rho_hat(double rounds) const;
    double test_1() const;
    double test_2() const;
    void restart(int test);

    MasterOptions options_;
    const BanditTrajectory* world_ = nullptr;
    std::vector<Slot> slots_;  // by order
    int order_ = 0;            // of the block
    int block_begin_ = 0;
    int round_ = 0;
    int active_ = 0;
    double least_optimistic_ = 0.0;  // U
    BanditChoice choice_;
    /// Sums over the block's rounds so far, from 0: of R, of r~ - R, of <a, w^> - R.
    std::vector<double> rewards_, optimism_, surprise_;
    MasterTimeline timeline_;
};

}  // namespace emergence
