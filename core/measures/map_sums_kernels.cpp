#include <type_traits>

#include "core/base/lanes.h"
#include "core/measures/family_runs.h"
#include "core/measures/map_sums.h"

namespace emergence::EMERGENCE_LANES {
namespace {

using MapLanes = Lanes<double>;

// One part of a group after the other; sums run over groups, lane by lane. Run: an algorithm.
template <class Run, bool kDerivatives>
class MapLaneSums {
  public:
    static constexpr bool kScatter = std::is_same_v<Run, MapRun<MapLanes>>;

    MapLaneSums(const MapBank& bank, const Run& run, const double* parameters, int p)
        : bank_(bank),
          p_(p),
          run_(run),
          moments_(static_cast<size_t>(map_moments_size(bank.d))),
          form_(static_cast<size_t>(bank.d * bank.d)),
          off_(static_cast<size_t>(bank.d)),
          weighted_(off_),
          g_(static_cast<size_t>(p_)) {
        for (int k = 0; k < p; ++k) parameters_.push_back(MapLanes::broadcast(parameters[k]));
    }
    // The sums in the order of map_lane_sums().
    static int size(int p) { return kDerivatives ? 1 + p + p * (p + 1) / (kScatter ? 1 : 2) : 1; }

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
        if constexpr (kScatter) {
            run_on_map(part);
        } else {
            load(bank_.moments, part, moments_);
            run_.template run<kDerivatives>(moments_.data(), parameters_.data());
        }
    }
    void run_on_map(int part) {
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
        for (int a = 0; a < p_; ++a) {
            weigh(run_.derivatives() + a * d);
            for (int b = a; b < p_; ++b, ++curvature) *curvature = *curvature + dot(run_.derivatives() + b * d);
        }
        if constexpr (kScatter)
            for (int a = 0; a < p_; ++a)
                for (int b = a; b < p_; ++b, ++curvature) *curvature = *curvature + g_[place(a)] * g_[place(b)];
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
    Run run_;
    std::vector<MapLanes> moments_, form_, off_, weighted_, g_, parameters_;
};

template <bool kDerivatives, class Run>
void sum_over_prompts(const MapBank& bank, const double* wanted, const Run& run, const double* parameters, int p,
                      double* sums) {
    using Sums = MapLaneSums<Run, kDerivatives>;
    const auto size = static_cast<size_t>(Sums::size(p));
    std::vector<MapLanes> lanes(kParts * size, zero_lanes<double>());
    Sums one(bank, run, parameters, p);
    for (int part = 0; part < bank.groups * kParts; ++part)
        one.add(part, wanted, lanes.data() + static_cast<size_t>(part % kParts) * size);
    for (size_t i = 0; i < size; ++i) {
        MapLanes parts[kParts];
        for (int part = 0; part < kParts; ++part) parts[part] = lanes[static_cast<size_t>(part) * size + i];
        sums[i] = sum_lanes<double>(parts);
    }
}

}  // namespace

void map_lane_sums(const MapBank& bank, const double* wanted, const double* parameters, int size, bool derivatives,
                   MapKind kind, double* sums) {
    const auto with = [&](const auto& run) {
        if (derivatives)
            sum_over_prompts<true>(bank, wanted, run, parameters, size, sums);
        else
            sum_over_prompts<false>(bank, wanted, run, parameters, size, sums);
    };
    const MapLanes one = MapLanes::broadcast(1);
    switch (kind) {
        case MapKind::map:
            return with(MapRun<MapLanes>(bank.d, size - 2));
        case MapKind::matrices:
            return with(MatricesRun<MapLanes>(bank.d, size / (bank.d * bank.d), one));
        case MapKind::features:
            return with(FeaturesRun<MapLanes>(bank.d, size / 3, one));
    }
}

}  // namespace emergence::EMERGENCE_LANES
