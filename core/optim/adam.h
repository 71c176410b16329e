#pragma once
// Adam (Kingma and Ba 2015). Weight decay is an L2 term in the gradient, as in torch.optim.Adam, or separate from it,
// as in torch.optim.AdamW (Loshchilov and Hutter 2019).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emergence {

class Archive;  // base/array.h

/// The constants of Adam; the defaults are PyTorch's.
struct AdamOptions {
    double learning_rate = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    // lambda: the gradient becomes g + lambda x.
    double weight_decay = 0.0;
    // AdamW: x becomes (1 - learning_rate lambda) x before the step instead. Adam divides by the gradient's size, so
    // for small gradients an L2 term would outweigh the data.
    bool decoupled = false;
};

/// The state of one parameter vector.
template <class T>
struct Adam {
    std::vector<T> first_moment;
    std::vector<T> second_moment;
    int64_t steps = 0;

    explicit Adam(size_t size) : first_moment(size, T(0)), second_moment(size, T(0)) {}

    /// Step number t:
    ///
    ///     m = b1 m + (1 - b1) g
    ///     v = b2 v + (1 - b2) g^2
    ///     x -= lr / (1 - b1^t) m / (sqrt(v / (1 - b2^t)) + eps)
    ///
    /// A moment below the smallest normal number becomes 0, and so does a weight without gradient once lambda x is too
    /// small for the moments: no step is slowed by subnormal numbers.
    /// parameters (x), gradient (g): as long as the moments.
    void step(T* parameters, const T* gradient, const AdamOptions& options);
    /// The moments and the number of steps.
    void state(Archive& archive);
};

/// With g' = g + decay x: m = b1 m + rest1 g', v = b2 v + rest2 g'^2, x = keep x - rate m / (sqrt(v) root + epsilon).
template <class T>
struct AdamRates {
    T b1, b2, rest1, rest2, rate, root, epsilon, decay, keep;
    // A weight without gradient that is smaller becomes zero.
    T least;
};

}  // namespace emergence
