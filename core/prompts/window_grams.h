#pragma once
// Gram matrices of sliding windows, sixteen windows at a time.
//
// G_w = sum over the window's n transitions of z z', with z = [phi; gamma phi'; R]. For one entry (i, j) the
// products z_i z_j over time are summed over windows by doubling: E_1 = z_i z_j, E_2k[t] = E_k[t] + E_k[t +
// k], and the window's sum takes the E_k of n's binary digits. So it costs log n, drifts no more than a
// direct sum, and subtracts nothing.

#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/lanes.h"
#include "core/prompts/phased_trajectory.h"

namespace emergence::EMERGENCE_LANES {

/// trajectory: d rows of phi and one of R(S_t), each layout.row_size() long; entries past the end are finite.
template <class T>
class WindowGrams {
    using L = Lanes<T>;

  public:
    WindowGrams(int d, const PhasedLayout& layout)
        : d_(d),
          layout_(layout),
          sums_(static_cast<size_t>(layout.row_size())),
          doubled_(static_cast<size_t>(layout.row_size())),
          shifted_(static_cast<size_t>(layout.row_size())),
          totals_(static_cast<size_t>(layout.phases + 2)),
          grams_(static_cast<size_t>((layout.phases + 1) * rows() * rows())) {}

    int rows() const { return 2 * d_ + 1; }
    /// Lane i: the Gram matrix of window i S + group, for group = 0 .. S.
    const L* gram(int group) const { return grams_.data() + static_cast<size_t>(group * rows() * rows()); }

    void compute(const T* trajectory, T gamma) {
        const L discount = L::broadcast(gamma), discount_squared = L::broadcast(gamma * gamma);
        for (int i = 0; i < d_; ++i)
            for (int j = i; j < d_; ++j) {
                // phi' phi'' is phi phi' one step later, times gamma^2: one more total serves both blocks.
                sum_windows(row(trajectory, i), row(trajectory, j), layout_.phases + 2);
                for (int group = 0; group <= layout_.phases; ++group) {
                    set(group, i, j, total(group));
                    set(group, d_ + i, d_ + j, total(group + 1) * discount_squared);
                }
            }
        for (int j = 0; j < d_; ++j) {
            shift(row(trajectory, j));  // phi_j(t + 1)
            for (int i = 0; i < d_; ++i) {
                sum_windows(row(trajectory, i), shifted_.data(), layout_.phases + 1);
                for (int group = 0; group <= layout_.phases; ++group)
                    set(group, i, d_ + j, total(group) * discount);
            }
            sum_windows(row(trajectory, d_), shifted_.data(), layout_.phases + 1);
            for (int group = 0; group <= layout_.phases; ++group)
                set(group, d_ + j, 2 * d_, total(group) * discount);
        }
        for (int i = 0; i <= d_; ++i) {
            sum_windows(row(trajectory, i), row(trajectory, d_), layout_.phases + 1);
            for (int group = 0; group <= layout_.phases; ++group)
                set(group, i == d_ ? 2 * d_ : i, 2 * d_, total(group));
        }
    }

  private:
    const T* row(const T* trajectory, int r) const { return trajectory + r * layout_.row_size(); }
    const L& total(int group) const { return totals_[static_cast<size_t>(group)]; }
    void set(int group, int i, int j, const L& value) {
        L* gram = grams_.data() + static_cast<size_t>(group * rows() * rows());
        gram[i * rows() + j] = gram[j * rows() + i] = value;
    }

    void shift(const T* source) {
        for (int phase = 0; phase < layout_.phases; ++phase) {
            const T* from = source + layout_.at(phase + 1);
            T* to = shifted_.data() + phase * layout_.stride;
            const int count = phase + 1 < layout_.phases ? layout_.stride : layout_.stride - 1;
            for (int q = 0; q < count; ++q) to[q] = from[q];
        }
    }

    // totals_[group] = sum over k = 0 .. n-1 of x[t + k] y[t + k] at t = i S + group, for group < groups.
    void sum_windows(const T* x, const T* y, int groups) {
        const int n = layout_.context_length, phases = layout_.phases;
        for (int group = 0; group < groups; ++group) totals_[static_cast<size_t>(group)] = zero_lanes<T>();
        const int last_window = 16 * phases + 1;
        for (int phase = 0; phase < phases; ++phase)
            for (int q = 0; q <= (last_window + n) / phases; q += kLanes) {
                const int at = phase * layout_.stride + q;
                (L::load(x + at) * L::load(y + at)).store(sums_.data() + at);
            }
        T* sums = sums_.data();
        T* doubled = doubled_.data();
        int offset = 0;
        for (int width = 1;; width *= 2) {
            if ((n & width) != 0) {
                for (int group = 0; group < groups; ++group)
                    totals_[static_cast<size_t>(group)] =
                        totals_[static_cast<size_t>(group)] + L::load(sums + layout_.at(group + offset));
                offset += width;
            }
            if (2 * width > n) return;
            for (int phase = 0; phase < phases; ++phase) {
                const int later = layout_.at(phase + width);
                for (int q = 0; q <= (last_window + n - 2 * width) / phases; q += kLanes) {
                    const int at = phase * layout_.stride + q;
                    (L::load(sums + at) + L::load(sums + later + q)).store(doubled + at);
                }
            }
            std::swap(sums, doubled);
        }
    }

    int d_;
    PhasedLayout layout_;
    ScalarBuffer<T> sums_, doubled_, shifted_;
    std::vector<L> totals_, grams_;
};

}  // namespace emergence::EMERGENCE_LANES
