#pragma once
// From the windows of a minibatch to lanes and back: window i S + group is virtual lane i of that group, for
// group = 0 .. S. Group S of lane i is group 0 of lane i+1.

#include "core/base/lanes.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence::EMERGENCE_LANES {

/// Row r of the trajectory at time i S + time, for every lane i of the part.
template <class T>
inline Lanes<T> load_row(const PhasedLayout& layout, const T* trajectory, int r, int time, int part) {
    return Lanes<T>::load(trajectory + r * layout.row_size() + layout.at(time) + part * kLanes);
}

/// The d features of the queries of a group's windows; window w has the query S_{w+n+1}.
template <class T>
inline void load_query(const PhasedLayout& layout, const T* trajectory, int d, int group, int part,
                       Lanes<T>* query) {
    for (int r = 0; r < d; ++r)
        query[r] = load_row(layout, trajectory, r, group + layout.context_length + 1, part);
}

/// Writes a group's lanes to by_window (B+1 entries), except windows beyond the minibatch. If two lanes hold the same
/// window (group S is group 0 of the next lane), both write the same bits.
template <class T>
inline void scatter_windows(const PhasedLayout& layout, const Lanes<T>& lanes, int group, int part,
                            T* by_window) {
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
inline bool gather_windows(const PhasedLayout& layout, const T* by_window, int group, int part,
                           Lanes<T>* lanes) {
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

}  // namespace emergence::EMERGENCE_LANES
