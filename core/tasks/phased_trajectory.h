#pragma once
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

namespace emergence {

/// The sizes of the layout.
struct PhasedLayout {
    // n
    int context_length;
    // B
    int batch;
    // S
    int phases;
    // Elements per phase, with room for whole-vector loads past the end.
    int stride;

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

}  // namespace emergence
