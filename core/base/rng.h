#pragma once
// The only source of randomness: counter-based streams (Philox4x32-10, Salmon et al. 2011).
//
// A stream is named by (seed, purpose, index, sub_index) and its draws are numbered, so that a draw does not
// depend on what else was drawn, in which order or on which thread: moving a slider changes the model and not
// the data.

#include <array>
#include <cstddef>
#include <cstdint>

namespace emergence {

/// What a stream is for. Numbers are part of the file format of a run: append, never renumber.
enum class Purpose : uint32_t {
    initial_weights = 1,
    initial_distribution = 2,
    transition = 3,
    reward = 4,
    features = 5,
    true_weights = 6,
    trajectory = 7,
    held_out = 8,
    task_parameters = 9,  // numbers behind a whole task: a loop's size and threshold, a cart's physics
    fixed_world = 10,     // the parts that all tasks of a "too easy" distribution share
    pool = 11,            // which MRP of a pool is next
    testing = 99,
};

/// One stream of random numbers.
class Stream {
  public:
    Stream(uint64_t seed, Purpose purpose, uint32_t index = 0, uint32_t sub_index = 0);

    /// The next 32 random bits.
    uint32_t bits() {
        if (used_ == 4) refill();
        return block_[static_cast<size_t>(used_++)];
    }
    /// Uniform in (0, 1): never 0 and never 1 (2^32 equidistant values).
    double uniform() { return (static_cast<double>(bits()) + 0.5) * 0x1p-32; }
    /// Uniform in (low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Standard normal (Box-Muller; two uniforms a draw).
    double normal();

  private:
    void refill();

    std::array<uint32_t, 2> key_;
    std::array<uint32_t, 4> counter_;  // draw block, sub_index, index, purpose
    std::array<uint32_t, 4> block_{};
    int used_ = 4;
};

/// A seed for a derived world (a held-out bank, say) that no run's own seed will meet.
uint64_t derive_seed(uint64_t seed, Purpose purpose);

}  // namespace emergence
