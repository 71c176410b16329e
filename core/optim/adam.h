#pragma once
// Adam (Kingma and Ba 2015) with weight decay as L2 in the gradient, as PyTorch's torch.optim.Adam, or apart from
// it, as torch.optim.AdamW (Loshchilov and Hutter 2019).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emergence {

struct AdamOptions {
    double learning_rate = 1e-3;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0.0;  // lambda: the gradient becomes g + lambda x
    /// AdamW: x becomes (1 - learning_rate lambda) x before the step instead. Where gradients are small Adam
    /// enlarges an L2 term with them, so that it takes more than the data give.
    bool decoupled = false;
};

/// The state of one parameter vector.
template <class T>
struct Adam {
    std::vector<T> first_moment;
    std::vector<T> second_moment;
    int64_t steps = 0;

    explicit Adam(size_t size) : first_moment(size, T(0)), second_moment(size, T(0)) {}

    /// m = b1 m + (1-b1) g;  v = b2 v + (1-b2) g^2;  x -= lr / (1-b1^t) * m / (sqrt(v / (1-b2^t)) + eps).
    /// parameters, gradient: as long as the moments.
    void step(T* parameters, const T* gradient, const AdamOptions& options);
};

extern template struct Adam<float>;
extern template struct Adam<double>;

}  // namespace emergence
