#pragma once
// The softmax transformer on a minibatch: windows of n transitions that slide along one trajectory of a finite
// MRP, sixteen at a time, one per SIMD lane.
//
// Window w has the context S_w .. S_{w+n-1} and the query S_{w+n}. The loop runs from the last window to the
// first, so that each value serves as the target of the next one.

#include <memory>
#include <vector>

#include "core/base/instruction_set.h"

namespace emergence {

struct Mrp;

// The softmax transformer's weights on a finite MRP, as numbers per state and per pair of states: a forward pass
// then needs no features.
//
// Write z = [x; R; w; u] for a column of Z, with x~ = [x; R] (query: [x; 0]), which no layer changes, and the two
// memories w and u. The score of source i and column j, with Q divided by the temperature, is
//
//     score(i, j) + f_w(i) w_j + f_u(i) u_j
//                 + w_i (g_w(j) + Q_ww w_j + Q_wu u_j)
//                 + u_i (g_u(j) + Q_uw w_j + Q_uu u_j)
//
//     score(i, j) = x~_i' Q x~_j,   f = x~' Q[:, memory],   g = Q[memory, :] x~
//
// and P's last row writes, from source i,
//
//     h_i = written(i) + b w_i + c u_i,   written = P[D, x~] x~,   b = P[D, w],   c = P[D, u]

/// The offset of each table in a flat array. Plain numbers, since lane kernels include this header. m: states.
struct SoftmaxTdTables {
    int m;

    constexpr int score() const { return 0; }                             // m x m: [column's state][source's state]
    constexpr int query_score() const { return m * m; }                   // m x m: [query's state][source's state]
    constexpr int written() const { return 2 * m * m; }                   // m, like the tables up to query_current
    constexpr int source_target() const { return written() + m; }         // f_w
    constexpr int source_current() const { return source_target() + m; }  // f_u
    constexpr int column_target() const { return source_current() + m; }  // g_w
    constexpr int column_current() const { return column_target() + m; }  // g_u
    constexpr int query_target() const { return column_current() + m; }   // g_w of a query
    constexpr int query_current() const { return query_target() + m; }    // g_u of a query
    constexpr int target() const { return query_current() + m; }          // b
    constexpr int current() const { return target() + 1; }                // c
    constexpr int memory() const { return current() + 1; }                // Q_ww, Q_wu, Q_uw, Q_uu
    constexpr int size() const { return memory() + 4; }
};

/// The states of a finite MRP as the transformer sees them.
template <class T>
struct StateFeatures {
    int num_states, d;
    std::vector<T> rows;          // m x (d+1): x(s), r(s)
    std::vector<T> rewards = {};  // m: r(s)
};
/// The states of a finite chain.
StateFeatures<float> state_features(const Mrp& mrp);

/// The tables of `weights`: P, then Q, each D x D row-major with D = d+3. tables: SoftmaxTdTables{m}.size().
template <class T>
void softmax_td_tables(const StateFeatures<T>& states, const T* weights, T temperature, T* tables);

/// The adjoint: overwrites weight_gradient (P, then Q, D x D each) with the gradient by the weights, from that by
/// the tables.
template <class T>
void softmax_td_weight_gradient(const StateFeatures<T>& states, const T* table_gradient, T temperature,
                                T* weight_gradient);

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

}  // namespace emergence
