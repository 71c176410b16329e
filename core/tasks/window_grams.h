#pragma once
// Gram matrices of sliding windows, sixteen windows at a time.
//
//     G_w = sum over the window's n transitions of z z',   z = [phi; gamma phi'; R]
//
// For each entry (i, j) the products x_t = z_i z_j form blocks of S times, one per phase. A window is the end of one
// block, F whole blocks and the start of another. Sums over whole blocks come by doubling,
//
//     E_1 = block sums,   E_2k[q] = E_k[q] + E_k[q + k]
//
// where the binary digits of F select the E_k. The cost is log n per window, nothing is subtracted, and rounding
// errors do not exceed those of a direct sum.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/lanes.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence::EMERGENCE_LANES {

// From the windows of a minibatch to lanes and back: window i S + group is virtual lane i of that group, for
// group = 0 .. S. Group S of lane i is group 0 of lane i+1.

/// Row r of the trajectory at time i S + time, for every lane i of the part.
template <class T>
inline Lanes<T> load_row(const PhasedLayout& layout, const T* trajectory, int r, int time, int part) {
    return Lanes<T>::load(trajectory + r * layout.row_size() + layout.at(time) + part * kLanes);
}

/// The d features of the queries of a group's windows; window w has the query S_{w+n+1}.
template <class T>
inline void load_query(const PhasedLayout& layout, const T* trajectory, int d, int group, int part, Lanes<T>* query) {
    for (int r = 0; r < d; ++r) query[r] = load_row(layout, trajectory, r, group + layout.context_length + 1, part);
}

/// Writes a group's lanes to by_window (B+1 entries), except windows beyond the minibatch. If two lanes hold the same
/// window (group S is group 0 of the next lane), both write the same bits.
template <class T>
inline void scatter_windows(const PhasedLayout& layout, const Lanes<T>& lanes, int group, int part, T* by_window) {
    T values[kLanes];
    lanes.store(values);
    for (int i = 0; i < kLanes; ++i) {
        const int window = (part * kLanes + i) * layout.phases + group;
        if (window <= layout.batch) by_window[window] = values[i];
    }
}

/// Reads by_window into a group's lanes, each window of 0 .. B into one lane only (window B into group S if no other
/// group has it), and 0 into all others. Returns false if all lanes are 0.
template <class T>
inline bool gather_windows(const PhasedLayout& layout, const T* by_window, int group, int part, Lanes<T>* lanes) {
    T values[kLanes];
    bool any = false;
    for (int i = 0; i < kLanes; ++i) {
        const int lane = part * kLanes + i, window = lane * layout.phases + group;
        const bool own = window <= layout.batch && (group < layout.phases || lane == kVirtualLanes - 1);
        values[i] = own ? by_window[window] : T(0);
        any = any || values[i] != T(0);
    }
    *lanes = Lanes<T>::load(values);
    return any;
}

/// The Gram matrices of all windows of a minibatch.
template <class T>
class WindowGrams {
    using L = Lanes<T>;

  public:
    WindowGrams(int d, const PhasedLayout& layout)
        : d_(d),
          layout_(layout),
          ends_(layout.row_size()),
          starts_(layout.row_size()),
          shifted_(layout.row_size()),
          blocks_(layout.stride),
          doubled_(layout.stride),
          totals_((layout.phases + 2) * kParts),
          grams_((layout.phases + 1) * kParts * rows() * rows()) {
        const int n = layout.context_length, phases = layout.phases;
        for (int group = 0; group < phases + 2; ++group) {
            const int phase = group % phases, head = std::min(phases - phase, n), rest = n - head;
            windows_.push_back({phase, group / phases, head, rest / phases, rest % phases});
        }
    }

    int rows() const { return 2 * d_ + 1; }
    /// After compute(): the Gram matrices, rows() x rows(), of the windows i S + group for the virtual lanes i from
    /// part * kLanes on. group: 0 .. S.
    const L* gram(int group, int part) const { return grams_.data() + offset(group, part); }

    /// trajectory: d rows of phi and one of R(S_t), each layout.row_size() long; entries past the end must be finite.
    void compute(const T* trajectory, T gamma) {
        const int groups = layout_.phases + 1;
        const L discount = L::broadcast(gamma), discount_squared = L::broadcast(gamma * gamma);
        for (int i = 0; i < d_; ++i)
            for (int j = i; j < d_; ++j) {
                // The block of gamma phi(S_{t+1}) is that of phi(S_t) one time later, times gamma^2: one more group
                // of totals serves both.
                sum_windows(row(trajectory, i), row(trajectory, j), groups + 1);
                set(i, j, 0, L::broadcast(T(1)));
                set(d_ + i, d_ + j, 1, discount_squared);
            }
        for (int j = 0; j < d_; ++j) {
            shift(row(trajectory, j));  // phi_j(t + 1)
            for (int i = 0; i < d_; ++i) {
                sum_windows(row(trajectory, i), shifted_.data(), groups);
                set(i, d_ + j, 0, discount);
            }
            sum_windows(row(trajectory, d_), shifted_.data(), groups);
            set(d_ + j, 2 * d_, 0, discount);
        }
        for (int i = 0; i <= d_; ++i) {
            sum_windows(row(trajectory, i), row(trajectory, d_), groups);
            set(i == d_ ? 2 * d_ : i, 2 * d_, 0, L::broadcast(T(1)));
        }
    }

  private:
    const T* row(const T* trajectory, int r) const { return trajectory + r * layout_.row_size(); }
    size_t offset(int group, int part) const { return static_cast<size_t>((group * kParts + part) * rows() * rows()); }
    // Sets entry (i, j) of every group to `scale` times the total of `later` groups later.
    void set(int i, int j, int later, const L& scale) {
        for (int group = 0; group <= layout_.phases; ++group)
            for (int part = 0; part < kParts; ++part) {
                L* gram = grams_.data() + offset(group, part);
                gram[i * rows() + j] = gram[j * rows() + i] = totals_[(group + later) * kParts + part] * scale;
            }
    }

    void shift(const T* source) {
        for (int phase = 0; phase < layout_.phases; ++phase) {
            const T* from = source + layout_.at(phase + 1);
            T* to = shifted_.data() + phase * layout_.stride;
            const int count = phase + 1 < layout_.phases ? layout_.stride : layout_.stride - 1;
            for (int q = 0; q < count; ++q) to[q] = from[q];
        }
    }

    // totals_[group] = sum_{k=0}^{n-1} x[t + k] y[t + k] at t = i S + group, for group < groups.
    void sum_windows(const T* x, const T* y, int groups) {
        const int phases = layout_.phases, stride = layout_.stride;
        const int last_block = (kVirtualLanes * phases + 1 + layout_.context_length) / phases;
        for (int q = 0; q <= last_block; q += kLanes) {
            L sum = zero_lanes<T>();
            for (int at = (phases - 1) * stride + q; at >= 0; at -= stride) {
                sum = fma(L::load(x + at), L::load(y + at), sum);
                sum.store(ends_.data() + at);
            }
            sum.store(blocks_.data() + q);
            sum = zero_lanes<T>();
            for (int at = q; at < phases * stride; at += stride) {
                sum = fma(L::load(x + at), L::load(y + at), sum);
                sum.store(starts_.data() + at);
            }
        }
        for (int group = 0; group < groups; ++group) start_total(x, y, group);
        add_whole_blocks(groups, last_block);
    }

    // Starts each total with the window's parts of its first and last block.
    void start_total(const T* x, const T* y, int group) {
        const Window& w = windows_[group];
        const int stride = layout_.stride;
        for (int part = 0; part < kParts; ++part) {
            const int at = w.phase * stride + w.block + part * kLanes;
            L& total = totals_[group * kParts + part];
            if (w.phase + w.head == layout_.phases) {
                total = L::load(ends_.data() + at);
            } else {  // a short window, which ends within its first block
                total = zero_lanes<T>();
                for (int k = 0; k < w.head; ++k)
                    total = fma(L::load(x + at + k * stride), L::load(y + at + k * stride), total);
            }
            if (w.tail > 0) {
                const int block = w.block + 1 + w.whole_blocks + part * kLanes;
                total = total + L::load(starts_.data() + (w.tail - 1) * stride + block);
            }
        }
    }

    void add_whole_blocks(int groups, int last_block) {
        T* sums = blocks_.data();
        T* doubled = doubled_.data();
        int most = 0;
        for (int group = 0; group < groups; ++group) most = std::max(most, windows_[group].whole_blocks);
        for (int width = 1; width <= most; width *= 2) {
            for (int group = 0; group < groups; ++group) {
                const Window& w = windows_[group];
                if ((w.whole_blocks & width) == 0) continue;
                const int first = w.block + 1 + (w.whole_blocks & (width - 1));
                for (int part = 0; part < kParts; ++part) {
                    L& total = totals_[group * kParts + part];
                    total = total + L::load(sums + first + part * kLanes);
                }
            }
            for (int q = 0; q <= last_block - width; q += kLanes)
                (L::load(sums + q) + L::load(sums + q + width)).store(doubled + q);
            std::swap(sums, doubled);
        }
    }

    // The windows that start at time i S + group: at phase `phase` of block i + `block`, then `head` times,
    // `whole_blocks` blocks and `tail` times.
    struct Window {
        int phase, block, head, whole_blocks, tail;
    };

    int d_;
    PhasedLayout layout_;
    ScalarBuffer<T> ends_, starts_;  // sums over a block's last and first phases, at [phase][block]
    ScalarBuffer<T> shifted_;
    ScalarBuffer<T> blocks_, doubled_;
    std::vector<Window> windows_;
    std::vector<L> totals_, grams_;
};

}  // namespace emergence::EMERGENCE_LANES
