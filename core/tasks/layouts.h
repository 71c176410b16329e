#pragma once
// How tasks lay out their data for lane kernels: plain data, without Eigen.

#include <cstddef>

namespace emergence {

// The memory layout of a minibatch's trajectory, in which sixteen windows slide together.
//
// A minibatch of B prompts is B windows of n transitions, each one transition after the last. Lane i computes the
// windows
//
//     i S, i S + 1, ..., i S + S - 1,   S = ceil(B / 16)
//
// in turn. The TD target of a window is then the next window of the same lane, or the first window of lane i+1. Time
// t = q S + phase is at
//
//     row + phase * stride + q
//
// so that one contiguous load reads time i S + c in every lane i. Plain arithmetic, since lane kernels include this
// header.

/// The sizes of the layout.
struct PhasedLayout {
    int context_length;  // n
    int batch;           // B
    int phases;          // S
    int stride;          // elements per phase, with room for whole-vector loads past the end
    // The Gram matrix of all windows, (2d+1) x (2d+1), is given: it follows the trajectory's rows.
    bool given_gram = false;

    /// The layout for context length n and minibatch size B.
    static constexpr PhasedLayout of(int context_length, int batch) {
        const int phases = (batch + 15) / 16;
        // Windows use times up to 16 S + n + 1; running sums read up to n more, whole vectors 15 more.
        const int last = 16 * phases + 2 * context_length + 2;
        return {context_length, batch, phases, (last / phases + 1 + 16 + 15) / 16 * 16};
    }
    /// Number of states that a minibatch needs, from S_0 to the last query S_{16 S + n + 1}.
    constexpr int num_states() const { return 16 * phases + context_length + 2; }
    constexpr int row_size() const { return phases * stride; }
    /// The index of a time within a row.
    constexpr int at(int time) const { return time % phases * stride + time / phases; }
};

// Many prompts in the form for lane kernels. Linear attention needs only the Gram matrix and the query column of a
// prompt. Plain data, since lane kernels include this header.

/// Prompts per group. Zeros fill the last group: a zero prompt predicts 0 for the target 0.
constexpr int kGramGroup = 16;

/// Prompts of equal context length. The entries of one prompt are the upper triangle of G = Z_0 M Z_0' by rows, the
/// query column and the target of minus the last entry of Z_L. Entry e of prompt 16 g + i is
///
///     data[(g * gram_entries(rows) + e) * 16 + i]
template <class T>  // float or double
struct GramView {
    int rows;  // D, of Z
    int prompts;
    int context_length;  // n
    const T* data;
};

/// Entries per prompt.
constexpr size_t gram_entries(int rows) { return static_cast<size_t>(rows * (rows + 1) / 2 + rows + 1); }
constexpr int gram_groups(int prompts) { return (prompts + kGramGroup - 1) / kGramGroup; }

/// The target of a prompt's prediction.
template <class T>
T gram_target(const GramView<T>& sample, int prompt) {
    const size_t entries = gram_entries(sample.rows), group = static_cast<size_t>(prompt / kGramGroup);
    return sample.data[((group + 1) * entries - 1) * kGramGroup + static_cast<size_t>(prompt % kGramGroup)];
}

// The algorithm of policy improvement, its sizes, and the form of its prompts for kernels. Without Eigen, since lane
// kernels include this header.

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
