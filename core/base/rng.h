#pragma once
// The only source of randomness: counter-based streams (Philox4x32-10, Salmon et al. 2011).
//
// (seed, purpose, index, sub_index) names a stream, and its draws are numbered. So a draw does not depend on other
// draws, their order or their thread: moving a slider changes the model but not the data.

#include <array>
#include <cstddef>
#include <cstdint>

namespace emergence {

/// The use of a stream. The numbers are part of the file format of a run: append, never renumber.
enum class Purpose : uint32_t {
    initial_weights = 1,
    initial_distribution = 2,
    transition = 3,
    reward = 4,
    features = 5,
    true_weights = 6,
    trajectory = 7,
    held_out = 8,
    task_parameters = 9,  // parameters of a whole task: a loop's size and threshold, a cart's physics
    fixed_world = 10,     // the parts that all tasks of a "too easy" distribution share
    pool = 11,            // the order in which the MRPs of a pool come
    testing = 99,
};

class Stream {
  public:
    Stream(uint64_t seed, Purpose purpose, uint32_t index = 0, uint32_t sub_index = 0);

    /// The next 32 random bits.
    uint32_t bits() {
        if (used_ == 4) refill();
        return block_[used_++];
    }
    /// Uniform in (0, 1), never 0 or 1: (k + 1/2) / 2^32 for a 32-bit k.
    double uniform() { return (static_cast<double>(bits()) + 0.5) * 0x1p-32; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Standard normal (Box-Muller; each draw uses two uniforms).
    double normal();

  private:
    void refill();

    std::array<uint32_t, 2> key_;
    // Block of four draws, sub_index, index, purpose.
    std::array<uint32_t, 4> counter_;
    std::array<uint32_t, 4> block_{};
    int used_ = 4;
};

/// A seed for a derived world, e.g. a held-out bank, that a run's own seed practically never equals.
uint64_t derive_seed(uint64_t seed, Purpose purpose);

}  // namespace emergence
