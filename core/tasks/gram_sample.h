#pragma once
// Many prompts in the form for lane kernels. Linear attention needs only the Gram matrix and the query column of a
// prompt. Plain data, since lane kernels include this header.

#include <cstddef>

namespace emergence {

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

/// What a prompt's prediction should be.
template <class T>
T gram_target(const GramView<T>& sample, int prompt) {
    const size_t entries = gram_entries(sample.rows), group = static_cast<size_t>(prompt / kGramGroup);
    return sample.data[((group + 1) * entries - 1) * kGramGroup + static_cast<size_t>(prompt % kGramGroup)];
}

}  // namespace emergence
