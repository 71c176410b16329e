#pragma once
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

#include <vector>

namespace emergence {

/// The offset of each table in a flat array. Plain numbers, since lane kernels include this header. m: states.
struct SoftmaxTdTables {
    int m;

    constexpr int score() const { return 0; }                      // m x m: [column's state][source's state]
    constexpr int query_score() const { return m * m; }            // m x m: [query's state][source's state]
    constexpr int written() const { return 2 * m * m; }            // m, like the tables up to query_current
    constexpr int source_target() const { return written() + m; }  // f_w
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
    std::vector<T> rows;  // m x (d+1): x(s), r(s)
};

/// The tables of `weights`: P, then Q, each D x D row-major with D = d+3. tables: SoftmaxTdTables{m}.size().
template <class T>
void softmax_td_tables(const StateFeatures<T>& states, const T* weights, T temperature, T* tables);

/// The adjoint: overwrites weight_gradient (P, then Q, D x D each) with the gradient by the weights, from that by
/// the tables.
template <class T>
void softmax_td_weight_gradient(const StateFeatures<T>& states, const T* table_gradient, T temperature,
                                T* weight_gradient);

}  // namespace emergence
