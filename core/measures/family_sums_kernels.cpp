#include <type_traits>

#include "core/base/lanes.h"
#include "core/measures/family_sums.h"

namespace emergence::EMERGENCE_LANES {
namespace {

using FamilyLanes = Lanes<double>;

size_t at(int i) { return static_cast<size_t>(i); }

void load(const double* all, int part, std::vector<FamilyLanes>& lanes) {
    const double* from =
        all + static_cast<size_t>(part / kParts) * lanes.size() * kVirtualLanes + part % kParts * kLanes;
    for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = FamilyLanes::load(from + i * kVirtualLanes);
}

// One part of a group after the other: the algorithm at (beta, c) and the prompt's form. kD: as in FamilyRun.
template <int kD>
class FamilyParts {
  public:
    FamilyParts(const FamilyBank& bank, int layers, double beta, double c)
        : bank_(bank),
          run_(bank.d, layers, FamilyLanes::broadcast(1)),
          beta_(FamilyLanes::broadcast(beta)),
          c_(FamilyLanes::broadcast(c)),
          form_(at(bank.d * bank.d)),
          weighted_(at(bank.d)) {}

    FamilyRun<FamilyLanes, kD>& run() { return run_; }
    int d() const { return kD > 0 ? kD : bank_.d; }

    void load_part(int part) {
        load(bank_.weights, part, form_);
        if (bank_.axis == PlaceAxis::trace) {
            const int width = bank_.d + 1, n = bank_.context_length;
            const double* states =
                bank_.states + at(part / kParts * (n + 1) * width) * kVirtualLanes + part % kParts * kLanes;
            run_.place_traces([&](int t, int k) { return FamilyLanes::load(states + (t * width + k) * kVirtualLanes); },
                              n, FamilyLanes::broadcast(bank_.gamma), FamilyLanes::broadcast(1.0 / n), beta_, c_);
            return;
        }
        const double* moments =
            bank_.moments + at(part / kParts * num_moments(d())) * kVirtualLanes + part % kParts * kLanes;
        const auto moment = [moments](int i) { return FamilyLanes::load(moments + i * kVirtualLanes); };
        if (bank_.axis == PlaceAxis::gradient)
            run_.place(moment, beta_, c_);
        else
            run_.place_mean_reward(moment, beta_, c_);
    }
    // Keeps W x for dot().
    void weigh(const FamilyLanes* x) {
        const int d = this->d();
        for (int i = 0; i < d; ++i) {
            FamilyLanes sum = form_[at(i * d)] * x[0];
            for (int j = 1; j < d; ++j) sum = sum + form_[at(i * d + j)] * x[j];
            weighted_[at(i)] = sum;
        }
    }
    FamilyLanes dot(const FamilyLanes* x) const {
        FamilyLanes sum = x[0] * weighted_[0];
        for (int i = 1; i < d(); ++i) sum = sum + x[i] * weighted_[at(i)];
        return sum;
    }

  private:
    const FamilyBank& bank_;
    FamilyRun<FamilyLanes, kD> run_;
    FamilyLanes beta_, c_;
    std::vector<FamilyLanes> form_, weighted_;
};

// Sums over groups, lane by lane, then over lanes. add(part, sums): adds a part's own.
template <class Add>
void sum_over_parts(int groups, size_t size, double* sums, const Add& add) {
    std::vector<FamilyLanes> lanes(kParts * size, zero_lanes<double>());
    for (int part = 0; part < groups * kParts; ++part) add(part, lanes.data() + at(part % kParts) * size);
    for (size_t i = 0; i < size; ++i) {
        FamilyLanes parts[kParts];
        for (int part = 0; part < kParts; ++part) parts[part] = lanes[at(part) * size + i];
        sums[i] = sum_lanes<double>(parts);
    }
}

FamilyLanes importance_of(const FamilyTarget& target, int part) {
    return FamilyLanes::load(target.importance + part / kParts * kVirtualLanes + part % kParts * kLanes);
}

int layers_of(int d, int size, Steps steps) { return steps == Steps::scalar ? size - 2 : (size - 2) / (d * d); }

// Runs behind load_part() and leaves the difference from `wanted` in `off`.
template <bool kDerivatives, int kD>
void run_part(FamilyParts<kD>& parts, Steps steps, const std::vector<FamilyLanes>& parameters, const double* wanted,
              int part, std::vector<FamilyLanes>& off) {
    parts.load_part(part);
    if (steps == Steps::scalar)
        parts.run().template run_steps<kDerivatives>(parameters.data());
    else
        parts.run().template run_matrices<kDerivatives>(parameters.data());
    load(wanted, part, off);
    for (size_t i = 0; i < off.size(); ++i) off[i] = parts.run().weights()[i] - off[i];
    parts.weigh(off.data());
}

std::vector<FamilyLanes> in_lanes(const double* parameters, int size) {
    std::vector<FamilyLanes> lanes;
    for (int k = 2; k < size; ++k) lanes.push_back(FamilyLanes::broadcast(parameters[k]));
    return lanes;
}

template <bool kDerivatives, int kD>
void sum_family(const FamilyBank& bank, const FamilyTarget& target, const double* parameters, int p, Steps steps,
                double* sums) {
    const bool scatters = steps == Steps::scalar;
    FamilyParts<kD> parts(bank, layers_of(bank.d, p, steps), parameters[0], parameters[1]);
    const int d = parts.d();
    const std::vector<FamilyLanes> own = in_lanes(parameters, p);
    std::vector<FamilyLanes> off(at(d)), g(at(p));
    const int size = kDerivatives ? 1 + p + p * (p + 1) / (scatters ? 1 : 2) : 1;
    sum_over_parts(bank.groups, at(size), sums, [&](int part, FamilyLanes* sum) {
        run_part<kDerivatives>(parts, steps, own, target.wanted, part, off);
        const FamilyLanes u = importance_of(target, part);
        *sum = *sum + u * parts.dot(off.data());
        if constexpr (kDerivatives) {
            const FamilyLanes* J = parts.run().derivatives();
            FamilyLanes *gradient = sum + 1, *entry = gradient + p;
            for (int k = 0; k < p; ++k) {
                g[at(k)] = u * parts.dot(J + k * d);
                gradient[k] = gradient[k] + g[at(k)];
            }
            for (int a = 0; a < p; ++a) {
                for (int i = 0; i < d; ++i) off[at(i)] = u * J[a * d + i];
                parts.weigh(off.data());
                for (int b = a; b < p; ++b, ++entry) *entry = *entry + parts.dot(J + b * d);
            }
            if (scatters)
                for (int a = 0; a < p; ++a)
                    for (int b = a; b < p; ++b, ++entry) *entry = *entry + g[at(a)] * g[at(b)];
        }
    });
}

// Calls with d as a constant where it is the usual one.
template <class Call>
void with_size([[maybe_unused]] const FamilyBank& bank, const Call& call) {
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (bank.d == 4) return call(std::integral_constant<int, 4>());
#endif
    call(std::integral_constant<int, 0>());
}

}  // namespace

void family_lane_sums(const FamilyBank& bank, const FamilyTarget& target, const double* parameters, int size,
                      Steps steps, bool derivatives, double* sums) {
    if (derivatives)
        with_size(bank, [&](auto size_of) { sum_family<true, size_of>(bank, target, parameters, size, steps, sums); });
    else
        with_size(bank, [&](auto size_of) { sum_family<false, size_of>(bank, target, parameters, size, steps, sums); });
}

void family_lane_errors(const FamilyBank& bank, const double* wanted, const double* parameters, int size, Steps steps,
                        double* errors) {
    with_size(bank, [&](auto size_of) {
        FamilyParts<size_of> parts(bank, layers_of(bank.d, size, steps), parameters[0], parameters[1]);
        const std::vector<FamilyLanes> own = in_lanes(parameters, size);
        std::vector<FamilyLanes> off(at(bank.d));
        for (int part = 0; part < bank.groups * kParts; ++part) {
            run_part<false>(parts, steps, own, wanted, part, off);
            parts.dot(off.data()).store(errors + part / kParts * kVirtualLanes + part % kParts * kLanes);
        }
    });
}

void power_lane_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers,
                     double* sums) {
    with_size(bank, [&](auto size_of) {
        FamilyParts<size_of> parts(bank, layers, beta, c);
        const int d = parts.d();
        std::vector<FamilyLanes> wanted(at(d)), scaled(at(d));
        sum_over_parts(bank.groups, at(layers * (layers + 1) / 2 + layers), sums, [&](int part, FamilyLanes* sum) {
            parts.load_part(part);
            parts.run().run_powers();
            const FamilyLanes* powers = parts.run().derivatives();
            const FamilyLanes u = importance_of(target, part);
            load(target.wanted, part, wanted);
            FamilyLanes* with_wanted = sum + layers * (layers + 1) / 2;
            for (int a = 0; a < layers; ++a) {
                for (int i = 0; i < d; ++i) scaled[at(i)] = u * powers[a * d + i];
                parts.weigh(scaled.data());
                for (int b = a; b < layers; ++b, ++sum) *sum = *sum + parts.dot(powers + b * d);
                with_wanted[a] = with_wanted[a] + parts.dot(wanted.data());
            }
        });
    });
}

}  // namespace emergence::EMERGENCE_LANES
