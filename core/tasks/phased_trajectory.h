#pragma once
// How a minibatch's trajectory lies in memory so that sixteen windows can slide side by side.
//
// A minibatch of B prompts is B windows of n transitions, each starting one transition later. With S = ceil(B
// / 16), lane i takes the windows i S, i S + 1, ..., i S + S - 1 in turn: a window's TD target is then the
// same lane's next window, and lane i's last one is lane i+1's first. Time t = q S + phase lies at row +
// phase * stride + q, so that "time i S + c in every lane i" is one contiguous load. Plain arithmetic: lane
// kernels read this header.

namespace emergence {

struct PhasedLayout {
    int context_length;  // n
    int batch;           // B
    int phases;          // S
    int stride;          // elements a phase, with room for whole-vector loads past the end

    static constexpr PhasedLayout of(int context_length, int batch) {
        const int phases = (batch + 15) / 16;
        // Times up to 16 S + n + 1 are used; running sums read up to n further, whole vectors 15 more.
        const int last = 16 * phases + 2 * context_length + 2;
        return {context_length, batch, phases, (last / phases + 1 + 16 + 15) / 16 * 16};
    }
    /// States S_0 .. that a minibatch needs: the last window's query is S_{16 S + n + 1}.
    constexpr int num_states() const { return 16 * phases + context_length + 2; }
    constexpr int row_size() const { return phases * stride; }
    /// Where time t is within a row.
    constexpr int at(int time) const { return time % phases * stride + time / phases; }
};

}  // namespace emergence
