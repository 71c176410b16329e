#include "core/base/lanes.h"
#include "core/measures/map_sums.h"

namespace emergence::EMERGENCE_LANES {
namespace {

using MapLanes = Lanes<double>;

// One part of a group after the other; sums run over groups, lane by lane.
template <bool kDerivatives>
class MapLaneSums {
  public:
    MapLaneSums(const MapBank& bank, const double* parameters, int layers)
        : bank_(bank),
          p_(layers + 2),
          run_(bank.d, layers),
          moments_(static_cast<size_t>(map_moments_size(bank.d))),
          form_(static_cast<size_t>(bank.d * bank.d)),
          off_(static_cast<size_t>(bank.d)),
          weighted_(off_),
          g_(static_cast<size_t>(p_)) {
        for (int k = 0; k < layers + 2; ++k) parameters_.push_back(MapLanes::broadcast(parameters[k]));
    }

    void add(int part, const double* wanted, MapLanes* sums) {
        const int d = bank_.d;
        load(bank_.weights, part, form_);
        load(wanted, part, off_);
        run(part);
        for (int i = 0; i < d; ++i) off_[place(i)] = run_.weights()[i] - off_[place(i)];
        weigh(off_.data());
        *sums = *sums + dot(off_.data());
        if constexpr (kDerivatives) add_derivatives(sums + 1);
    }

  private:
    void run(int part) {
        const MapLanes &beta = parameters_[0], &second = parameters_[1];
        const MapLanes* alphas = parameters_.data() + 2;
        if (bank_.axis == MapAxis::trace) {
            const int width = bank_.d + 1, n = bank_.context_length;
            const double* states = bank_.states + static_cast<size_t>(part / kParts * (n + 1) * width) * kVirtualLanes +
                                   part % kParts * kLanes;
            run_.template run_traces<kDerivatives>(
                [&](int t, int k) { return MapLanes::load(states + (t * width + k) * kVirtualLanes); }, n,
                MapLanes::broadcast(bank_.gamma), MapLanes::broadcast(1.0 / n), beta, second, alphas);
            return;
        }
        load(bank_.moments, part, moments_);
        if (bank_.axis == MapAxis::gradient)
            run_.template run<kDerivatives>(moments_.data(), beta, second, alphas);
        else
            run_.template run_mean_reward<kDerivatives>(moments_.data(), beta, second, alphas);
    }
    void add_derivatives(MapLanes* gradient) {
        const int d = bank_.d;
        for (int k = 0; k < p_; ++k) {
            g_[place(k)] = dot(run_.derivatives() + k * d);
            gradient[k] = gradient[k] + g_[place(k)];
        }
        MapLanes* curvature = gradient + p_;
        MapLanes* scatter = curvature + p_ * (p_ + 1) / 2;
        for (int a = 0; a < p_; ++a) {
            weigh(run_.derivatives() + a * d);
            for (int b = a; b < p_; ++b, ++curvature, ++scatter) {
                *curvature = *curvature + dot(run_.derivatives() + b * d);
                *scatter = *scatter + g_[place(a)] * g_[place(b)];
            }
        }
    }
    static size_t place(int i) { return static_cast<size_t>(i); }
    void load(const double* all, int part, std::vector<MapLanes>& lanes) const {
        const double* from =
            all + static_cast<size_t>(part / kParts) * lanes.size() * kVirtualLanes + part % kParts * kLanes;
        for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = MapLanes::load(from + i * kVirtualLanes);
    }
    // weighted = W x
    void weigh(const MapLanes* x) {
        const int d = bank_.d;
        for (int i = 0; i < d; ++i) {
            MapLanes sum = zero_lanes<double>();
            for (int j = 0; j < d; ++j) sum = sum + form_[place(i * d + j)] * x[j];
            weighted_[place(i)] = sum;
        }
    }
    MapLanes dot(const MapLanes* x) const {
        MapLanes sum = zero_lanes<double>();
        for (int i = 0; i < bank_.d; ++i) sum = sum + x[i] * weighted_[place(i)];
        return sum;
    }

    const MapBank& bank_;
    int p_;
    MapRun<MapLanes> run_;
    std::vector<MapLanes> moments_, form_, off_, weighted_, g_, parameters_;
};

template <bool kDerivatives>
void sum_over_prompts(const MapBank& bank, const double* wanted, const double* parameters, int layers, double* sums) {
    const int p = layers + 2;
    const size_t size = kDerivatives ? static_cast<size_t>(1 + p + p * (p + 1)) : 1;
    std::vector<MapLanes> lanes(kParts * size, zero_lanes<double>());
    MapLaneSums<kDerivatives> one(bank, parameters, layers);
    for (int part = 0; part < bank.groups * kParts; ++part)
        one.add(part, wanted, lanes.data() + static_cast<size_t>(part % kParts) * size);
    for (size_t i = 0; i < size; ++i) {
        MapLanes parts[kParts];
        for (int part = 0; part < kParts; ++part) parts[part] = lanes[static_cast<size_t>(part) * size + i];
        sums[i] = sum_lanes<double>(parts);
    }
}

}  // namespace

void map_lane_sums(const MapBank& bank, const double* wanted, const double* parameters, int layers, bool derivatives,
                   double* sums) {
    if (derivatives)
        sum_over_prompts<true>(bank, wanted, parameters, layers, sums);
    else
        sum_over_prompts<false>(bank, wanted, parameters, layers, sums);
}

}  // namespace emergence::EMERGENCE_LANES
