#include "core/optim/adam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "core/base/array.h"
#include "core/base/instruction_set.h"

namespace emergence {
// One per compiled instruction set, see adam_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(void adam_steps(const AdamRates<float>&, int count, float* parameters, const float* gradient,
                                           float* first, float* second);
                           void adam_steps(const AdamRates<double>&, int count, double* parameters,
                                           const double* gradient, double* first, double* second);)

template <class T>
void Adam<T>::step(T* parameters, const T* gradient, const AdamOptions& options) {
    ++steps;
    // Bias corrections in double: in float the first 1 - 0.999^t lose half of their digits.
    const double correction1 = 1.0 - std::pow(options.beta1, static_cast<double>(steps));
    const double correction2 = 1.0 - std::pow(options.beta2, static_cast<double>(steps));
    AdamRates<T> rates{};
    rates.rate = static_cast<T>(options.learning_rate / correction1);
    rates.root = static_cast<T>(1.0 / std::sqrt(correction2));
    rates.b1 = static_cast<T>(options.beta1);
    rates.b2 = static_cast<T>(options.beta2);
    rates.rest1 = T(1) - rates.b1;
    rates.rest2 = T(1) - rates.b2;
    rates.epsilon = static_cast<T>(options.epsilon);
    rates.decay = static_cast<T>(options.decoupled ? 0.0 : options.weight_decay);
    rates.keep = static_cast<T>(options.decoupled ? 1.0 - options.learning_rate * options.weight_decay : 1.0);
    if (rates.decay > T(0)) rates.least = std::numeric_limits<T>::min() / (rates.rest1 * rates.decay);
    EMERGENCE_ON_LANES(instruction_set(), adam_steps(rates, static_cast<int>(first_moment.size()), parameters, gradient,
                                                     first_moment.data(), second_moment.data()));
}

template <class T>
void Adam<T>::state(Archive& archive) {
    archive("first_moment", first_moment);
    // The square of a huge gradient is infinite: its weight stands still from then on, and the run goes on.
    Array squares{{second_moment.size()}, second_moment};
    archive("second_moment", squares);
    archive("steps", steps);
    archive.require(steps >= 0, "steps", "is negative");
    const auto* stored = std::get_if<std::vector<T>>(&squares.values);
    archive.require(stored != nullptr && stored->size() == second_moment.size(), "second_moment",
                    "is of another size or type");
    archive.require(std::all_of(stored->begin(), stored->end(), [](T v) { return v >= T(0); }), "second_moment",
                    "has an entry that is negative or not a number");
    if (archive.loads()) second_moment = *stored;
}

template struct Adam<float>;
template struct Adam<double>;

}  // namespace emergence
