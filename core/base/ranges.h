#pragma once
// The standard library's algorithms over a whole range.

#include <algorithm>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

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

/// The first element of which `of`, a function or a member, gives this value, or null.
template <class Range, class Of, class Value>
auto* find_by(Range& range, const Of& of, const Value& value) {
    const auto found = find_if(range, [&](const auto& each) { return std::invoke(of, each) == value; });
    return found == std::end(range) ? nullptr : &*found;
}
/// The first element with this name, or null.
template <class Range, class Name>
auto* find_named(Range& range, const Name& name) {
    return find_by(
        range, [](const auto& each) -> const auto& { return each.name; }, name);
}

/// What `of`, a function or a member, gives for each element.
template <class Range, class Of>
auto mapped(const Range& range, const Of& of) {
    std::vector<std::remove_cvref_t<std::invoke_result_t<const Of&, decltype(*std::begin(range))>>> all;
    for (const auto& each : range) all.push_back(std::invoke(of, each));
    return all;
}

/// The elements that are.
template <class Range, class Is>
auto filtered(const Range& range, const Is& is) {
    std::vector<std::iter_value_t<decltype(std::begin(range))>> kept;
    for (const auto& each : range)
        if (std::invoke(is, each)) kept.push_back(each);
    return kept;
}

}  // namespace emergence
