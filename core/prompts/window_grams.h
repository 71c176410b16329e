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
          totals_(static_cast<size_t>((layout.phases + 2) * kParts)),
          grams_(static_cast<size_t>((layout.phases + 1) * kParts * rows() * rows())) {}

    int rows() const { return 2 * d_ + 1; }
    /// Virtual lane i: the Gram matrix of window i S + group, for group = 0 .. S; its lanes from part *
    /// kLanes on.
    const L* gram(int group, int part) const { return grams_.data() + offset(group, part); }

    void compute(const T* trajectory, T gamma) {
        const int groups = layout_.phases + 1;
        const L discount = L::broadcast(gamma), discount_squared = L::broadcast(gamma * gamma);
        for (int i = 0; i < d_; ++i)
            for (int j = i; j < d_; ++j) {
                // phi' phi'' is phi phi' one step later, times gamma^2: one more total serves both blocks.
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
    size_t offset(int group, int part) const {
        return static_cast<size_t>((group * kParts + part) * rows() * rows());
    }
    // Entry (i, j) of every group: the totals of `later` groups on, times `scale`.
    void set(int i, int j, int later, const L& scale) {
        for (int group = 0; group <= layout_.phases; ++group)
            for (int part = 0; part < kParts; ++part) {
                L* gram = grams_.data() + offset(group, part);
                gram[i * rows() + j] = gram[j * rows() + i] =
                    totals_[static_cast<size_t>((group + later) * kParts + part)] * scale;
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

    // totals_[group] = sum over k = 0 .. n-1 of x[t + k] y[t + k] at t = i S + group, for group < groups.
    void sum_windows(const T* x, const T* y, int groups) {
        const int n = layout_.context_length, phases = layout_.phases;
        for (L& total : totals_) total = zero_lanes<T>();
        const int last_window = 16 * phases + 1;
        for (int phase = 0; phase < phases; ++phase)
            for (int q = 0; q <= (last_window + n) / phases; q += kLanes) {
                const int at = phase * layout_.stride + q;
                (L::load(x + at) * L::load(y + at)).store(sums_.data() + at);
            }
        T* sums = sums_.data();
        T* doubled = doubled_.data();
        int start = 0;
        for (int width = 1;; width *= 2) {
            if ((n & width) != 0) {
                for (int group = 0; group < groups; ++group)
                    for (int part = 0; part < kParts; ++part) {
                        L& total = totals_[static_cast<size_t>(group * kParts + part)];
                        total = total + L::load(sums + layout_.at(group + start) + part * kLanes);
                    }
                start += width;
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
