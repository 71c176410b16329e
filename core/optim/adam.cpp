#include "core/optim/adam.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "core/base/archive.h"

namespace emergence {
namespace {

// Zero for numbers below the smallest normal one, each of which would cost a processor some hundred cycles.
template <class T>
T normal_or_zero(T x) {
    return std::abs(x) < std::numeric_limits<T>::min() ? T(0) : x;
}

}  // namespace

template <class T>
void Adam<T>::step(T* parameters, const T* gradient, const AdamOptions& options) {
    ++steps;
    // Bias corrections in double: in float the first 1 - 0.999^t lose half of their digits.
    const double correction1 = 1.0 - std::pow(options.beta1, static_cast<double>(steps));
    const double correction2 = 1.0 - std::pow(options.beta2, static_cast<double>(steps));
    const auto rate = static_cast<T>(options.learning_rate / correction1);
    const auto root = static_cast<T>(1.0 / std::sqrt(correction2));
    const auto b1 = static_cast<T>(options.beta1), b2 = static_cast<T>(options.beta2);
    const auto eps = static_cast<T>(options.epsilon);
    const auto decay = static_cast<T>(options.decoupled ? 0.0 : options.weight_decay);
    const auto keep = static_cast<T>(options.decoupled ? 1.0 - options.learning_rate * options.weight_decay : 1.0);
    const T least = decay > T(0) ? std::numeric_limits<T>::min() / ((T(1) - b1) * decay) : T(0);
    const size_t size = first_moment.size();
    T* m = first_moment.data();
    T* v = second_moment.data();
    for (size_t i = 0; i < size; ++i) {
        // Decay alone ends at zero, once it would add less than a normal number to m.
        if (gradient[i] == T(0) && std::abs(parameters[i]) < least) parameters[i] = T(0);
        const T g = gradient[i] + decay * parameters[i];
        m[i] = normal_or_zero(b1 * m[i] + (T(1) - b1) * g);
        v[i] = normal_or_zero(b2 * v[i] + (T(1) - b2) * g * g);
        parameters[i] = keep * parameters[i] - rate * m[i] / (std::sqrt(v[i]) * root + eps);
    }
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
