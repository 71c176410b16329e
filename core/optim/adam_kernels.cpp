#include <limits>

#include "core/base/lanes.h"
#include "core/optim/adam.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <class T>
Lanes<T> size_of(const Lanes<T>& x) {
    return max(x, zero_lanes<T>() - x);
}
// Zero for numbers below the smallest normal one, each of which would cost a processor some hundred cycles.
template <class T>
Lanes<T> normal_or_zero(const Lanes<T>& x) {
    const auto least = Lanes<T>::broadcast(std::numeric_limits<T>::min());
    return where_positive(least - size_of(x), zero_lanes<T>(), x);
}

template <class T>
void step(const AdamRates<T>& rates, T* parameters, const T* gradient, T* first, T* second) {
    using L = Lanes<T>;
    const auto all = [](T number) { return L::broadcast(number); };
    L x = L::load(parameters);
    const L by_x = L::load(gradient);
    // Decay alone ends at zero, once it would add less than a normal number to m.
    x = where_positive(all(rates.least) - size_of(x), where_positive(size_of(by_x), x, zero_lanes<T>()), x);
    const L g = by_x + all(rates.decay) * x;
    const L m = normal_or_zero(all(rates.b1) * L::load(first) + all(rates.rest1) * g);
    const L v = normal_or_zero(all(rates.b2) * L::load(second) + all(rates.rest2) * g * g);
    m.store(first);
    v.store(second);
    (all(rates.keep) * x - all(rates.rate) * m / (sqrt(v) * all(rates.root) + all(rates.epsilon))).store(parameters);
}

}  // namespace

template <class T>
void adam_steps(const AdamRates<T>& rates, int count, T* parameters, const T* gradient, T* first, T* second) {
    int i = 0;
    for (; i + kLanes <= count; i += kLanes) step(rates, parameters + i, gradient + i, first + i, second + i);
    if (i == count) return;
    T rest[4][kLanes] = {};
    for (int k = i; k < count; ++k) {
        rest[0][k - i] = parameters[k];
        rest[1][k - i] = gradient[k];
        rest[2][k - i] = first[k];
        rest[3][k - i] = second[k];
    }
    step(rates, rest[0], rest[1], rest[2], rest[3]);
    for (int k = i; k < count; ++k) {
        parameters[k] = rest[0][k - i];
        first[k] = rest[2][k - i];
        second[k] = rest[3][k - i];
    }
}

template void adam_steps(const AdamRates<float>&, int, float*, const float*, float*, float*);
template void adam_steps(const AdamRates<double>&, int, double*, const double*, double*, double*);

}  // namespace emergence::EMERGENCE_LANES
