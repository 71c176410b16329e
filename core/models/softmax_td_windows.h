#pragma once
// The softmax transformer on a minibatch: windows of n transitions that slide along one trajectory of a finite
// MRP, sixteen at a time, one per SIMD lane.
//
// Window w has the context S_w .. S_{w+n-1} and the query S_{w+n}. The loop runs from the last window to the
// first, so that each value serves as the target of the next one.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/models/softmax_td_tables.h"

namespace emergence {

/// The sizes that all minibatches share.
struct SoftmaxTdShape {
    int num_states;      // m
    int layers;          // L
    int context_length;  // n
    int batch;           // B windows

    /// S, windows per lane: lane i computes the windows i S .. i S + S - 1.
    constexpr int windows_a_lane() const { return (batch + 15) / 16; }
    /// Number of states that a minibatch reads, from S_0 on.
    constexpr int num_times() const { return 16 * windows_a_lane() + context_length + 1; }
};

/// One minibatch.
template <class T>
struct SoftmaxTdInput {
    const int* states;  // num_times, each 0 .. m-1
    const T* rewards;   // m, of the state that is left
    const T* tables;    // SoftmaxTdTables{m}
    T gamma;
    T mixing;  // xi
};

/// Runs minibatches of one shape. Reuses its workspace; not thread-safe.
template <class T>
class SoftmaxTdWindows {
  public:
    virtual ~SoftmaxTdWindows() = default;
    /// The value of each window's query, `batch` entries.
    virtual void values(const SoftmaxTdInput<T>& input, T* values) = 0;
    /// Returns the mean over the windows of (R_{n+1} + gamma v(next window) - v)^2, Eq. (30) of the softmax paper, and
    /// overwrites table_gradient with its gradient by the tables, the target held fixed (semi-gradient TD).
    virtual T td_loss(const SoftmaxTdInput<T>& input, T* table_gradient) = 0;
};

/// The transformer of the given shape. T: float (any instruction set) or double (generic).
template <class T>
std::unique_ptr<SoftmaxTdWindows<T>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                             InstructionSet set = instruction_set());
template <>
std::unique_ptr<SoftmaxTdWindows<float>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                                 InstructionSet set);
template <>
std::unique_ptr<SoftmaxTdWindows<double>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                                  InstructionSet set);

}  // namespace emergence
