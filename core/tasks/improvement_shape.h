#pragma once
// Sizes of the prompts of policy improvement, and how kernels see them. No Eigen here: lane kernels read this
// header.

#include "core/tasks/improvement_sizes.h"

namespace emergence {

/// Sizes of a prompt H: (r + c) x (n + 1).
struct ImprovementShape {
    ImprovementSizes sizes;
    int n = 20;

    /// r: [phi, gamma phi', reward], and the discounted score of actor-critic.
    int context() const { return 2 * sizes.d + 1 + sizes.m; }
    /// c: [1, lambda, w], or [1, w].
    int query() const { return 1 + sizes.parameters(); }
    /// What is read out: the update of (lambda and) w.
    int outputs() const { return sizes.parameters(); }
    int rows() const { return context() + query(); }  // D
};

/// Rows of numbers are padded with zeros to multiples of this, the lanes that kernels compute with.
constexpr int kRowPadding = 16;
inline int padded_row(int entries) { return (entries + kRowPadding - 1) / kRowPadding * kRowPadding; }

/// An ImprovementPrompt's numbers: X (n x padded_row(r)), query (c), teacher (outputs).
template <class T>
struct PromptView {
    const T* X;
    const T* query;
    const T* teacher;
};

}  // namespace emergence
