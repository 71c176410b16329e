#pragma once
// The algorithm of policy improvement, its sizes, and the form of its prompts for kernels. Without Eigen, since lane kernels include
// this header.

namespace emergence {

/// The algorithm that improves the policy.
enum class Improvement { sarsa, actor_critic };

/// Sizes of MDP and features: d features of the values; actor-critic also has m features of its policy.
struct ImprovementSizes {
    Improvement algorithm = Improvement::sarsa;
    int num_states = 9, num_actions = 4;
    int d = 36;
    int m = 0;  // 0 for SARSA

    int parameters() const { return d + m; }
};

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
