#pragma once
// The softmax transformer on a minibatch: the windows of n transitions that slide along one trajectory of a
// finite MRP, sixteen side by side, one a SIMD lane (the softmax paper).
//
// Window w's context is S_w .. S_{w+n-1}, its query S_{w+n}. Windows are gone through from the last to the
// first, so that a window's value is the one before's target.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/models/softmax_td_tables.h"

namespace emergence {

/// What does not change from minibatch to minibatch.
struct SoftmaxTdShape {
    int num_states;      // m
    int layers;          // L
    int context_length;  // n
    int batch;           // B windows

    /// Windows a lane: lane i takes the windows i S .. i S + S - 1.
    constexpr int windows_a_lane() const { return (batch + 15) / 16; }
    /// States S_0 .. that a minibatch reads.
    constexpr int num_times() const { return 16 * windows_a_lane() + context_length + 1; }
};

template <class T>
struct SoftmaxTdInput {
    const int* states;  // num_times, each 0 .. m-1
    const T* rewards;   // m, of the state being left
    const T* tables;    // SoftmaxTdTables{m}
    T gamma;
    T mixing;  // xi
};

/// Runs minibatches of one shape; keeps its workspace. Not thread-safe.
template <class T>
class SoftmaxTdWindows {
  public:
    virtual ~SoftmaxTdWindows() = default;
    /// The value of each window's query: batch.
    virtual void values(const SoftmaxTdInput<T>& input, T* values) = 0;
    /// The mean over the windows of (R_{n+1} + gamma v(next window) - v)^2, Eq. (30), and its gradient by the
    /// tables with the target held fixed (semi-gradient TD); overwritten.
    virtual T td_loss(const SoftmaxTdInput<T>& input, T* table_gradient) = 0;
};

/// T is float (any instruction set) or double (generic).
template <class T>
std::unique_ptr<SoftmaxTdWindows<T>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                             InstructionSet set = instruction_set());

}  // namespace emergence
