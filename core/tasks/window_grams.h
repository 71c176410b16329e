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
#include <vector>

#include "core/base/lanes.h"
#include "core/tasks/layouts.h"

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
    WindowGrams(int d, const PhasedLayout& layout) : d_(d), layout_(layout) {
        // One group more than there is, for the block of gamma phi'.
        for (int group = 0; group < layout.phases + 2; ++group) windows_.push_back(window_of(group));
        // z = [phi; gamma phi'; R]
        const auto add = [this](int x, int y, int i, int j, Scale scale) {
            pairs_.push_back({x, y, i * rows() + j, j * rows() + i, scale});
        };
        for (int j = 0; j < d; ++j) {
            for (int i = 0; i <= j; ++i) add(i, j, i, j, Scale::one_and_later);
            for (int i = 0; i < d; ++i) add(i, d + 1 + j, i, d + j, Scale::discount);
            add(d, d + 1 + j, d + j, 2 * d, Scale::discount);
            add(j, d, j, 2 * d, Scale::one);
        }
        add(d, d, 2 * d, 2 * d, Scale::one);
    }

    int rows() const { return 2 * d_ + 1; }
    /// After compute(): the Gram matrices, rows() x rows(), of the windows i S + group for the virtual lanes i from
    /// part * kLanes on. group: 0 .. S. Those of windows after window B are finite.
    const L* gram(int group, int part) const { return grams_.data() + offset(group, part); }

    /// trajectory: d rows of phi and one of R(S_t), each layout.row_size() long; entries past the end must be finite.
    void compute(const T* trajectory, T gamma) {
        if (layout_.given_gram) {
            const T* given = trajectory + (d_ + 1) * layout_.row_size();
            const int entries = rows() * rows();
            for (int i = 0; i < static_cast<int>(grams_.size()); ++i) grams_[i] = L::broadcast(given[i % entries]);
            return;
        }
        for (int j = 0; j < d_; ++j) shift(trajectory, j);
        // Some pairs advance together, because a load that spans two vectors just stored would wait for them.
        const int count = static_cast<int>(pairs_.size());
        for (int first = 0; first < count; first += kPairsAtOnce) {
            const int end = std::min(count, first + kPairsAtOnce);
            for (int p = first; p < end; ++p) sum_blocks(trajectory, pairs_[p], sums(p - first));
            for (int k = 1; k <= doublings_; ++k)
                for (int p = first; p < end; ++p) double_blocks(k, sums(p - first));
            for (int p = first; p < end; ++p) set_entries(trajectory, gamma, pairs_[p], sums(p - first));
        }
    }

  private:
    static constexpr int kPairsAtOnce = 8;
    // How the sums of x_t y_t become entries. The block of gamma phi(S_{t+1}) is that of phi(S_t) one time later, times
    // gamma^2.
    enum class Scale { one, discount, one_and_later };
    // Rows x and y: phi, R, then phi one time later. Their product is the entries `place` and `mirrored` of z z'.
    struct Pair {
        int x, y, place, mirrored;
        Scale scale;
    };
    // A window starts at time i S + group, at phase `phase` of block i + `block`. It is the sum of `count` of a pair's
    // sums, from parts[] on; or of `times` products, if it ends within its first block.
    struct Window {
        int phase, block, times, count;
        int parts[2 + 16];
    };
    // How many binary digits a number has.
    static int digits(int number) {
        int count = 0;
        while (number >> count > 0) ++count;
        return count;
    }
    Window window_of(int group) const {
        const int n = layout_.context_length, phases = layout_.phases, stride = layout_.stride;
        Window w{group % phases, group / phases, 0, 0, {}};
        const int head = std::min(phases - w.phase, n), whole = (n - head) / phases, tail = (n - head) % phases;
        if (w.phase + head < phases) {
            w.times = head;
            return w;
        }
        int block = w.block + 1;
        w.parts[w.count++] = w.phase * stride + w.block;
        if (tail > 0) w.parts[w.count++] = starts_at() + (tail - 1) * stride + block + whole;
        for (int k = 0; k < digits(whole); ++k)
            if ((whole >> k & 1) != 0) {
                w.parts[w.count++] = blocks_at(k) + block;
                block += 1 << k;
            }
        return w;
    }

    int offset(int group, int part) const { return (group * kParts + part) * rows() * rows(); }
    const T* row(const T* trajectory, int r) const {
        return r <= d_ ? trajectory + r * layout_.row_size() : shifted_.data() + (r - d_ - 1) * layout_.row_size();
    }
    // The sums of one pair: over a block's last phases and over its first ones, at [phase][block], then E_2, E_4, .. at
    // [block].
    T* sums(int pair) const { return sums_.data() + pair * sums_size_; }
    int starts_at() const { return layout_.row_size(); }
    // E_{2^k}; E_1 is the sum over the last phases from phase 0 on.
    int blocks_at(int k) const { return k == 0 ? 0 : 2 * layout_.row_size() + (k - 1) * layout_.stride; }

    // phi_j(t + 1)
    void shift(const T* trajectory, int j) {
        for (int phase = 0; phase < layout_.phases; ++phase) {
            const T* from = row(trajectory, j) + layout_.at(phase + 1);
            T* to = shifted_.data() + j * layout_.row_size() + phase * layout_.stride;
            const int count = phase + 1 < layout_.phases ? layout_.stride : layout_.stride - 1;
            for (int q = 0; q < count; ++q) to[q] = from[q];
        }
    }

    void sum_blocks(const T* trajectory, const Pair& pair, T* sums) const {
        const T *x = row(trajectory, pair.x), *y = row(trajectory, pair.y);
        const int stride = layout_.stride;
        for (int q = 0; q <= last_block_; q += kLanes) {
            L sum = zero_lanes<T>();
            for (int at = (layout_.phases - 1) * stride + q; at >= 0; at -= stride) {
                sum = fma(L::load(x + at), L::load(y + at), sum);
                sum.store(sums + at);
            }
            sum = zero_lanes<T>();
            for (int at = q; at < tail_ * stride; at += stride) {
                sum = fma(L::load(x + at), L::load(y + at), sum);
                sum.store(sums + starts_at() + at);
            }
        }
    }
    void double_blocks(int k, T* sums) const {
        const int half = 1 << (k - 1);
        const T* of = sums + blocks_at(k - 1);
        T* to = sums + blocks_at(k);
        for (int q = 0; q + half <= last_block_; q += kLanes) (L::load(of + q) + L::load(of + q + half)).store(to + q);
    }

    void set_entries(const T* trajectory, T gamma, const Pair& pair, const T* sums) {
        const L discount = L::broadcast(gamma), squared = L::broadcast(gamma * gamma);
        const int later = d_ * rows() + d_;
        L* gram = grams_.data();
        for (int group = 0; group <= layout_.phases + 1; ++group)
            for (int part = 0; part < kParts; ++part, gram += rows() * rows()) {
                const Window& w = windows_[group];
                L total =
                    w.times > 0 ? products(trajectory, pair, w, part) : L::load(sums + w.parts[0] + part * kLanes);
                for (int k = 1; k < w.count; ++k) total = total + L::load(sums + w.parts[k] + part * kLanes);
                if (pair.scale == Scale::one_and_later && group > 0) {
                    L* before = gram - kParts * rows() * rows() + later;
                    before[pair.place] = before[pair.mirrored] = total * squared;
                }
                if (group > layout_.phases) continue;
                gram[pair.place] = gram[pair.mirrored] = pair.scale == Scale::discount ? total * discount : total;
            }
    }
    L products(const T* trajectory, const Pair& pair, const Window& w, int part) const {
        const int stride = layout_.stride, at = w.phase * stride + w.block + part * kLanes;
        const T *x = row(trajectory, pair.x) + at, *y = row(trajectory, pair.y) + at;
        L total = zero_lanes<T>();
        for (int k = 0; k < w.times; ++k) total = fma(L::load(x + k * stride), L::load(y + k * stride), total);
        return total;
    }

    int d_;
    PhasedLayout layout_;
    // The last block that windows 0 .. B, and the one after them, use.
    int last_block_ = (layout_.batch + layout_.context_length) / layout_.phases;
    // The most times at a window's end that make no whole block.
    int tail_ = std::max(0, std::min(layout_.phases, layout_.context_length) - 1);
    int doublings_ = digits(layout_.context_length / layout_.phases) - 1;
    int sums_size_ = 2 * layout_.row_size() + std::max(0, doublings_) * layout_.stride;
    ScalarBuffer<T> sums_ = ScalarBuffer<T>(kPairsAtOnce * sums_size_);   // of kPairsAtOnce pairs
    ScalarBuffer<T> shifted_ = ScalarBuffer<T>(d_ * layout_.row_size());  // phi one time later
    std::vector<Window> windows_;
    std::vector<Pair> pairs_;
    std::vector<L> grams_ = std::vector<L>((layout_.phases + 1) * kParts * rows() * rows());
};

// Z M Z' for the masks of TD(lambda) and of average-reward TD (Wang et al. 2025), one prompt per lane.
//
//     Eq. (14):  G = sum_i z_i e_i',               e_i = lambda e_{i-1} + z_i
//     Eq. (17):  G = sum_i (z_i - zbar_i) z_i',    zbar_i = mean of z_0 .. z_i
//
// Two heads have the second mask, and the first with lambda = 0.

/// The sums of one prompt, transition by transition.
template <class T>
class MaskedSums {
    using L = Lanes<T>;

  public:
    MaskedSums(int rows, int heads)
        : rows_(rows), heads_(heads), grams_(heads * rows * rows), trace_(rows), total_(rows) {
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
        L* traced = grams_.data() + (heads_ - 1) * rows_ * rows_;
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < rows_; ++j) traced[i * rows_ + j] = fma(z[i], trace_[j], traced[i * rows_ + j]);
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
    int rows_, heads_, count_ = 0;
    std::vector<L> grams_, trace_, total_;
};

/// The masked Gram matrices of all windows of a minibatch.
template <class T>
class MaskedWindowGrams {
    using L = Lanes<T>;

  public:
    MaskedWindowGrams(int d, int rows, int heads, const PhasedLayout& layout)
        : d_(d), rows_(rows), heads_(heads), layout_(layout), sums_(rows, heads) {}

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
    int offset(int group, int part) const { return (group * kParts + part) * heads_ * rows_ * rows_; }
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
        for (int group = S; group >= 0; --group) {
            L *G = target(group, part), *e = traces_.data() + group * rows_;
            for (int k = 0; k < rows_ * rows_; ++k) G[k] = left[k];
            for (int k = 0; k < rows_; ++k) e[k] = trace[k];
            if (group < S) prepend(trajectory, gamma, decay, reach, group, part, G, e), reach *= lambda;
            left = G;
            trace = e;
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
    std::vector<L> column_ = std::vector<L>(rows_, zero_lanes<T>()), F_ = column_;
    std::vector<L> traces_ = std::vector<L>((layout_.phases + 1) * rows_);
    std::vector<L> grams_ = std::vector<L>((layout_.phases + 1) * kParts * heads_ * rows_ * rows_);
};

}  // namespace emergence::EMERGENCE_LANES
