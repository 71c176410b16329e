#pragma once
// The tables of softmax_td_windows.h spread over time, so that one contiguous load gives the same source and column
// in all lanes. Time tau of lane i is time i S + tau of the trajectory. fill() spreads values from tables; gather()
// adds gradients back to tables.

#include <vector>

#include "core/base/lanes.h"
#include "core/models/softmax_td_windows.h"

namespace emergence::EMERGENCE_LANES {

/// The tables of one minibatch, or their gradient.
template <class T>
class SoftmaxTdTimes {
    using L = Lanes<T>;

  public:
    /// Numbers per time and lane.
    enum Row { written, source_target, source_current, column_target, column_current, kRows };
    /// Numbers per query.
    enum QueryRow { query_target, query_current, kQueryRows };
    /// Numbers common to all: b, c, Q_ww, Q_wu, Q_uw, Q_uu.
    static constexpr int kScalars = 6;

    explicit SoftmaxTdTimes(const SoftmaxTdShape& shape)
        : m_(shape.num_states), n_(shape.context_length), windows_(shape.windows_a_lane()) {}

    /// Sets the state of each lane at each time. states: as in SoftmaxTdInput.
    void place(const int* states) {
        for (int tau = 0; tau <= times_; ++tau)
            for (int lane = 0; lane < kVirtualLanes; ++lane)
                state_.data()[at(tau, lane)] = states[lane * windows_ + tau];
    }

    /// Scores of a column's time from source time `from` on; that of source time i is at kVirtualLanes * (i - from).
    T* scores(int column, int from, int part) const {
        return scores_.data() + at(column * times_ + from, part * kLanes);
    }
    /// Scores of the query of window number `window` of each lane, in the same layout.
    T* query_scores(int window, int from, int part) const {
        return query_scores_.data() + at(window * times_ + from, part * kLanes);
    }
    T* row(Row which, int time, int part) const { return rows_.data() + at(which * times_ + time, part * kLanes); }
    T* query_row(QueryRow which, int window, int part) const {
        return query_rows_.data() + at(which * (windows_ + 1) + window, part * kLanes);
    }
    L& scalar(int which, int part) { return scalars_[which * kParts + part]; }
    const L& scalar(int which, int part) const { return scalars_[which * kParts + part]; }

    void clear() {
        for (const auto* buffer : {&scores_, &query_scores_, &rows_, &query_rows_}) buffer->clear();
        for (L& scalar : scalars_) scalar = zero_lanes<T>();
    }

    void fill(const T* tables) {
        each([tables](int table, T& entry) { entry = tables[table]; });
        const int first = SoftmaxTdTables{m_}.target();
        for (int k = 0; k < kScalars; ++k)
            for (int part = 0; part < kParts; ++part) scalar(k, part) = L::broadcast(tables[first + k]);
    }

    /// Adds this gradient to table_gradient, in the same order for every instruction set.
    void gather(T* table_gradient) {
        each([table_gradient](int table, const T& entry) { table_gradient[table] += entry; });
        const int first = SoftmaxTdTables{m_}.target();
        for (int k = 0; k < kScalars; ++k) table_gradient[first + k] += sum_lanes(&scalar(k, 0));
    }

  private:
    static constexpr int size(int count) { return count * kVirtualLanes; }
    static constexpr int at(int index, int lane) { return index * kVirtualLanes + lane; }

    // Calls visit(index in the tables, entry) for every entry that a window uses.
    template <class Visit>
    void each(const Visit& visit) {
        const SoftmaxTdTables table{m_};
        const int* state = state_.data();
        for (int j = 0; j < times_; ++j) {
            const int from = j < n_ ? 0 : j - n_ + 1, to = j + n_ < times_ ? j + n_ : times_;
            for (int i = from; i < to; ++i)
                pairs(visit, table.score(), state + at(j, 0), state + at(i, 0), scores(j, i, 0));
        }
        for (int c = 0; c <= windows_; ++c)
            for (int i = c; i < c + n_ && i < times_; ++i)
                pairs(visit, table.query_score(), state + at(c + n_, 0), state + at(i, 0), query_scores(c, i, 0));
        for (int r = 0; r < kRows; ++r)
            for (int tau = 0; tau < times_; ++tau)
                for (int lane = 0; lane < kVirtualLanes; ++lane)
                    visit(table.written() + r * m_ + state[at(tau, lane)], row(static_cast<Row>(r), tau, 0)[lane]);
        for (int r = 0; r < kQueryRows; ++r)
            for (int c = 0; c <= windows_; ++c)
                for (int lane = 0; lane < kVirtualLanes; ++lane)
                    visit(table.query_target() + r * m_ + state[at(c + n_, lane)],
                          query_row(static_cast<QueryRow>(r), c, 0)[lane]);
    }
    template <class Visit>
    void pairs(const Visit& visit, int offset, const int* columns, const int* sources, T* entries) const {
        for (int lane = 0; lane < kVirtualLanes; ++lane)
            visit(offset + columns[lane] * m_ + sources[lane], entries[lane]);
    }

    using Buffer = ScalarBuffer<T>;
    int m_, n_, windows_, times_ = windows_ + n_;
    ScalarBuffer<int> state_ = ScalarBuffer<int>(size(times_ + 1));
    Buffer scores_ = Buffer(size(times_ * times_)), query_scores_ = Buffer(size((windows_ + 1) * times_));
    Buffer rows_ = Buffer(size(kRows * times_)), query_rows_ = Buffer(size(kQueryRows * (windows_ + 1)));
    L scalars_[kScalars * kParts];
};

}  // namespace emergence::EMERGENCE_LANES
