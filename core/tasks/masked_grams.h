#pragma once
// Z M Z' for the masks of TD(lambda) and of average-reward TD (Wang et al. 2025), one prompt per lane.
//
//     Eq. (14):  G = sum_i z_i e_i',               e_i = lambda e_{i-1} + z_i
//     Eq. (17):  G = sum_i (z_i - zbar_i) z_i',    zbar_i = mean of z_0 .. z_i
//
// Two heads have the second mask, and the first with lambda = 0.

#include <cstddef>
#include <vector>

#include "core/base/lanes.h"
#include "core/tasks/phased_trajectory.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {

/// The sums of one prompt, transition by transition.
template <class T>
class MaskedSums {
    using L = Lanes<T>;

  public:
    MaskedSums(int rows, int heads)
        : rows_(rows),
          heads_(heads),
          grams_(static_cast<size_t>(heads * rows * rows)),
          trace_(static_cast<size_t>(rows)),
          total_(trace_) {
        clear();
    }

    void clear() {
        count_ = 0;
        for (std::vector<L>* sums : {&grams_, &trace_, &total_})
            for (L& sum : *sums) sum = zero_lanes<T>();
    }

    /// Appends the column z (rows entries).
    void add(const L* z, const L& lambda) {
        for (int k = 0; k < rows_; ++k) trace_[k] = fma(lambda, trace_[k], z[k]);
        add_outer(z, trace_.data(), traced());
        if (heads_ == 1) return;
        const L share = L::broadcast(T(1) / static_cast<T>(++count_)), none = zero_lanes<T>();
        for (int i = 0; i < rows_; ++i) {
            total_[i] = total_[i] + z[i];
            const L centred = fma(none - share, total_[i], z[i]);
            for (int j = 0; j < rows_; ++j) grams_[i * rows_ + j] = fma(centred, z[j], grams_[i * rows_ + j]);
        }
    }

    /// heads x rows x rows: the centred one first.
    const L* grams() const { return grams_.data(); }
    /// e of the last column.
    const L* trace() const { return trace_.data(); }

  private:
    L* traced() { return grams_.data() + (heads_ - 1) * rows_ * rows_; }
    void add_outer(const L* x, const L* y, L* sums) const {
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < rows_; ++j) sums[i * rows_ + j] = fma(x[i], y[j], sums[i * rows_ + j]);
    }

    int rows_, heads_, count_ = 0;
    std::vector<L> grams_, trace_, total_;
};

/// Those of all windows of a minibatch.
template <class T>
class MaskedWindowGrams {
    using L = Lanes<T>;

  public:
    MaskedWindowGrams(int d, int rows, int heads, const PhasedLayout& layout)
        : d_(d),
          rows_(rows),
          heads_(heads),
          layout_(layout),
          sums_(rows, heads),
          column_(static_cast<size_t>(rows), zero_lanes<T>()),
          F_(column_),
          traces_(static_cast<size_t>((layout.phases + 1) * rows)),
          grams_(static_cast<size_t>((layout.phases + 1) * kParts * heads * rows * rows)) {}

    /// After compute(): heads x rows x rows of the windows i S + group, as WindowGrams.
    const L* grams(int group, int part) const { return grams_.data() + offset(group, part); }

    /// Column z of time i S + time of every lane i: phi, gamma phi', R and zeros. Overwritten by the next call.
    const L* column(const T* trajectory, T gamma, int time, int part) {
        const L discount = L::broadcast(gamma);
        for (int k = 0; k < d_; ++k) {
            column_[k] = load_row(layout_, trajectory, k, time, part);
            column_[d_ + k] = discount * load_row(layout_, trajectory, k, time + 1, part);
        }
        column_[2 * d_] = load_row(layout_, trajectory, d_, time, part);
        return column_.data();
    }

    void compute(const T* trajectory, T gamma, T lambda) {
        const bool slides = heads_ == 1 && layout_.context_length > layout_.phases;
        for (int part = 0; part < kParts; ++part)
            if (slides)
                slide(trajectory, gamma, lambda, part);
            else
                for (int group = 0; group <= layout_.phases; ++group) {
                    sums_.clear();
                    for (int i = 0; i < layout_.context_length; ++i)
                        sums_.add(column(trajectory, gamma, group + i, part), L::broadcast(lambda));
                    for (int k = 0; k < heads_ * rows_ * rows_; ++k) target(group, part)[k] = sums_.grams()[k];
                }
    }

  private:
    size_t offset(int group, int part) const {
        return static_cast<size_t>((group * kParts + part) * heads_ * rows_ * rows_);
    }
    L* target(int group, int part) { return grams_.data() + offset(group, part); }

    // A lane's windows share the transitions S .. n-1. With a left part, of which F = sum_i lambda^(i-s+1) z_i over its
    // transitions i from s on, and a right one that continues it, nothing is subtracted:
    //
    //     G = G_left + G_right + F_right e_left'
    //
    // where e_left is the left part's trace at its end. So a window costs a few outer products, whatever n is.
    void slide(const T* trajectory, T gamma, T lambda, int part) {
        const int n = layout_.context_length, S = layout_.phases;
        const L decay = L::broadcast(lambda);
        sums_.clear();
        for (L& f : F_) f = zero_lanes<T>();
        T power = 1;
        for (int time = S; time < n; ++time) append(trajectory, gamma, decay, power *= lambda, time, part);
        const L* left = sums_.grams();
        const L* trace = sums_.trace();
        T reach = 1;
        for (int k = 0; k < n - S; ++k) reach *= lambda;
        for (int group = S;; --group) {
            L *G = target(group, part), *e = traces_.data() + group * rows_;
            for (int k = 0; k < rows_ * rows_; ++k) G[k] = left[k];
            for (int k = 0; k < rows_; ++k) e[k] = trace[k];
            if (group < S) prepend(trajectory, gamma, decay, reach, group, part, G, e), reach *= lambda;
            left = G;
            trace = e;
            if (group == 0) break;
        }
        sums_.clear();
        for (L& f : F_) f = zero_lanes<T>();
        power = 1;
        for (int group = 1; group <= S; ++group) {
            append(trajectory, gamma, decay, power *= lambda, n + group - 1, part);
            L* G = target(group, part);
            const L* e = traces_.data() + group * rows_;
            for (int i = 0; i < rows_; ++i)
                for (int j = 0; j < rows_; ++j)
                    G[i * rows_ + j] = fma(F_[i], e[j], G[i * rows_ + j] + sums_.grams()[i * rows_ + j]);
        }
    }
    void append(const T* trajectory, T gamma, const L& decay, T power, int time, int part) {
        const L* z = column(trajectory, gamma, time, part);
        sums_.add(z, decay);
        for (int k = 0; k < rows_; ++k) F_[k] = fma(L::broadcast(power), z[k], F_[k]);
    }
    // Adds the transition before the first one to G, to F and, with its weight `reach`, to the trace at the end.
    void prepend(const T* trajectory, T gamma, const L& decay, T reach, int time, int part, L* G, L* e) {
        const L* z = column(trajectory, gamma, time, part);
        for (int i = 0; i < rows_; ++i) {
            F_[i] = F_[i] + z[i];
            for (int j = 0; j < rows_; ++j) G[i * rows_ + j] = fma(F_[i], z[j], G[i * rows_ + j]);
        }
        for (int k = 0; k < rows_; ++k) {
            F_[k] = decay * F_[k];
            e[k] = fma(L::broadcast(reach), z[k], e[k]);
        }
    }

    int d_, rows_, heads_;
    PhasedLayout layout_;
    MaskedSums<T> sums_;
    std::vector<L> column_, F_, traces_, grams_;
};

}  // namespace emergence::EMERGENCE_LANES
