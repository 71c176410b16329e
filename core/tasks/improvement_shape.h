#pragma once
// The sizes of the prompts of policy improvement, and their form for kernels. Without Eigen, since lane kernels include
// this header.

#include "core/tasks/improvement_sizes.h"

namespace emergence {

/// Sizes of a prompt H: (r + c) x (n + 1).
struct ImprovementShape {
    ImprovementSizes sizes;
    int n = 20;

    /// r: [phi, gamma phi', reward] and, for actor-critic, the discounted score.
    int context() const { return 2 * sizes.d + 1 + sizes.m; }
    /// c: [1, lambda, w], or [1, w] for SARSA.
    int query() const { return 1 + sizes.parameters(); }
    /// o, the entries that are read out: the update of (lambda, w), or of w.
    int outputs() const { return sizes.parameters(); }
    int rows() const { return context() + query(); }  // D
};

/// Rows are padded with zeros to multiples of this, the number of virtual lanes.
constexpr int kRowPadding = 16;
inline int padded_row(int entries) { return (entries + kRowPadding - 1) / kRowPadding * kRowPadding; }

/// A view of an ImprovementPrompt: X (n x padded_row(r)), query (c), teacher (outputs).
template <class T>
struct PromptView {
    const T* X;
    const T* query;
    const T* teacher;
};

}  // namespace emergence
