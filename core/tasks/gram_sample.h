#pragma once
// Many prompts as lane kernels read them: linear attention never sees more of a prompt than its Gram matrix
// and its query column. Plain data: lane kernels read this header too.

#include <cstddef>

namespace emergence {

/// Prompts come in groups of this many. The places of a last group that is not full hold zeros, which predict
/// 0 for 0.
constexpr int kGramGroup = 16;

/// Prompts with Gram matrix G = Z_0 M Z_0', query column and target each, all of the same context length.
/// Entry e of prompt 16 g + i stands at data[(g * gram_entries(rows) + e) * 16 + i]: the upper triangle of G
/// by rows, the query column, the target (what minus the last entry of the query's column should become).
template <class T>  // float or double
struct GramView {
    int rows;  // D, of Z
    int prompts;
    int context_length;  // n
    const T* data;
};

constexpr size_t gram_entries(int rows) { return static_cast<size_t>(rows * (rows + 1) / 2 + rows + 1); }
constexpr int gram_groups(int prompts) { return (prompts + kGramGroup - 1) / kGramGroup; }

}  // namespace emergence
