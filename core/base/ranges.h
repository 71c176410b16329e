#pragma once
// The standard library's algorithms over a whole range.

#include <algorithm>
#include <iterator>
#include <utility>

namespace emergence {

template <class Range, class Value>
bool contains(const Range& range, const Value& value) {
    return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

template <class Range, class Is>
bool any_of(const Range& range, Is is) {
    return std::any_of(std::begin(range), std::end(range), std::move(is));
}

template <class Range, class Is>
bool all_of(const Range& range, Is is) {
    return std::all_of(std::begin(range), std::end(range), std::move(is));
}

template <class Range, class Is>
auto count_if(const Range& range, Is is) {
    return std::count_if(std::begin(range), std::end(range), std::move(is));
}

/// The range's end if no element is.
template <class Range, class Is>
auto find_if(Range& range, Is is) {
    return std::find_if(std::begin(range), std::end(range), std::move(is));
}

}  // namespace emergence
