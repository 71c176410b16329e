#pragma once
// The numbers of one step of Adam, for its lane kernel.

namespace emergence {

/// With g' = g + decay x: m = b1 m + rest1 g', v = b2 v + rest2 g'^2, x = keep x - rate m / (sqrt(v) root + epsilon).
template <class T>
struct AdamRates {
    T b1, b2, rest1, rest2, rate, root, epsilon, decay, keep;
    // A weight without gradient that is smaller becomes zero.
    T least;
};

}  // namespace emergence
