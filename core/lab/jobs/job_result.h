#pragma once
// Results of jobs as arrays, for the files of a JobFolder. A result is made of numbers, or has arrays itself:
//
//     struct Errors {
//         std::vector<double> transformer, zero;
//         double largest = 0;
//         void numbers(auto& list) { list(transformer, zero, largest); }
//     };

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/array.h"
#include "core/base/error.h"

namespace emergence {

/// The numbers of an object, one after the other, of any depth: numbers, ranges (with their sizes if these can change),
/// and objects with numbers(list). The object lists its members once, for writing and reading.
class NumberList {
  public:
    NumberList() = default;
    explicit NumberList(std::vector<double> values) : values_(std::move(values)), reads_(true) {}

    template <class... Members>
    void operator()(Members&... members) {
        (one(members), ...);
    }
    const std::vector<double>& values() const { return values_; }
    /// Throws InputError unless all numbers have been read.
    void end() const {
        if (at_ != values_.size()) throw InputError("has too many numbers");
    }

  private:
    template <class Member>
    void one(Member& member) {
        if constexpr (std::is_arithmetic_v<Member>) {
            if (reads_)
                member = number_as<Member>(next());
            else
                values_.push_back(static_cast<double>(member));
        } else if constexpr (requires { member.numbers(*this); }) {
            member.numbers(*this);
        } else {
            if constexpr (requires { member.resize(size_t{}); }) {
                size_t size = member.size();
                one(size);
                if (reads_ && size > values_.size() - at_) throw InputError("has too few numbers");
                if (reads_) member.resize(size);
            }
            for (auto& element : member) one(element);
        }
    }
    // A whole number has to be one that was written from this type.
    template <class Number>
    static Number number_as(double value) {
        if constexpr (std::is_integral_v<Number>) {
            constexpr double kEnd = 9007199254740992.0;  // 2^53: beyond it doubles leave whole numbers out
            if (!(value >= std::max(-kEnd, static_cast<double>(std::numeric_limits<Number>::min())) &&
                  value <= std::min(kEnd, static_cast<double>(std::numeric_limits<Number>::max())) &&
                  value == std::floor(value)))
                throw InputError("has a number that does not fit");
        }
        return static_cast<Number>(value);
    }
    double next() {
        if (at_ == values_.size()) throw InputError("has too few numbers");
        return values_[at_++];
    }

    std::vector<double> values_;
    size_t at_ = 0;
    bool reads_ = false;
};

/// A result that converts itself.
template <class Result>
concept ResultOfArrays = requires(const Result& result, const ArrayMap& arrays) {
    { result.arrays() } -> std::same_as<ArrayMap>;
    { Result::of_arrays(arrays) } -> std::same_as<Result>;
};

template <class Result>
ArrayMap result_to_arrays(Result result) {
    if constexpr (ResultOfArrays<Result>) {
        return result.arrays();
    } else {
        NumberList list;
        list(result);
        return {{"numbers", {{list.values().size()}, list.values()}}};
    }
}

/// Throws InputError if the arrays do not fit.
template <class Result>
Result result_from_arrays(const ArrayMap& arrays) {
    if constexpr (ResultOfArrays<Result>) {
        return Result::of_arrays(arrays);
    } else {
        const auto found = arrays.find("numbers");
        if (found == arrays.end()) throw InputError("has no array 'numbers'");
        NumberList list(as_doubles(found->second));
        Result result{};
        list(result);
        list.end();
        return result;
    }
}

}  // namespace emergence
