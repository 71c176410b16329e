#include "core/experiments/bench/judge.h"

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "core/experiments/stacked.h"
#include "core/measures/emergence.h"
#include "core/measures/map_fit.h"
#include "core/measures/similarity.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kBenchFitted = 96, kBenchJudged = 160, kTraced = 48, kControls = 4;
// More prompts and steps bring it to the same names.
constexpr int kLineUpPrompts = 48, kLineUpSteps = 12;

// The pattern of theory in three blocks, the rule of experiment td. Of several layers the last needs no bootstrapping.
Opinion read_pattern(const BenchNetwork& network, const BenchPrompts&) {
    bool td = true, residual = true;
    for (int l = 0; l < network.layers(); ++l) {
        const auto at = static_cast<size_t>(l);
        const ElementWise e = element_wise(table_of(network.P[at]), table_of(network.Q[at]));
        const int layers = l + 1 < network.layers() ? network.layers() : 1;
        td = td && has_emerged(e, network.d(), layers);
        residual = residual && lacks_to_emerge_residual(e, network.d(), layers).empty();
    }
    const double sure = td ? 1 : 0;
    return {residual ? MapVerdict::residual_gradient : MapVerdict::td, MapVerdict::none, sure,
            td && !residual ? 1.0 : 0.0};
}

std::vector<VectorXd> values_on(const LineUpPrompts& prompts, const BenchNetwork& network) {
    std::vector<VectorXd> weights;
    for (int i = 0; i < prompts.size(); ++i)
        weights.push_back(network_weights(prompts.context(i), network.P, network.Q));
    return weights;
}

// The mean cosine of the network's weight vectors and batch TD's, with the step size that resembles most.
Opinion iws_of(const BenchNetwork& network, const BenchPrompts& prompts) {
    const auto mean_cosine = [&](const LineUpPrompts& on, double alpha) {
        const MapPoint td{1, 0, VectorXd::Constant(network.layers(), alpha)};
        double sum = 0;
        for (int i = 0; i < on.size(); ++i)
            sum +=
                cosine_similarity(network_weights(on.context(i), network.P, network.Q), map_weights(on.context(i), td));
        return sum / on.size();
    };
    double best = -1, best_alpha = 0;
    for (int power = -8; power <= 3; ++power)
        if (const double cosine = mean_cosine(*prompts.fit, std::exp2(power / 2.0)); cosine > best) {
            best = cosine;
            best_alpha = std::exp2(power / 2.0);
        }
    const double iws = mean_cosine(*prompts.judge, best_alpha);
    return {MapVerdict::td, MapVerdict::none, iws, iws};
}

MapVerdict verdict_of(Family family) {
    switch (family) {
        case Family::reward_correlation:
            return MapVerdict::reward_correlation;
        case Family::no_bootstrap:
            return MapVerdict::no_bootstrap;
        case Family::residual_gradient:
            return MapVerdict::residual_gradient;
        case Family::td_features:
            return MapVerdict::none;
        default:
            return MapVerdict::td;
    }
}

// The family that explains most; of those that explain nearly as much the simplest.
Opinion line_up(const BenchNetwork& network, const BenchPrompts& prompts) {
    std::vector<float> P, Q;
    for (size_t l = 0; l < network.P.size(); ++l) {
        const auto more_P = floats_of(network.P[l]), more_Q = floats_of(network.Q[l]);
        P.insert(P.end(), more_P.begin(), more_P.end());
        Q.insert(Q.end(), more_Q.begin(), more_Q.end());
    }
    LineUp lines(prompts.few, network.layers());
    lines.follow({network.layers(), network.layers(), P.data(), Q.data()}, kLineUpSteps);
    double best = 1, td = 1;
    for (int k = 0; k < kFamilies; ++k) {
        const auto family = static_cast<Family>(k);
        const double share = lines.unexplained(family);
        if (share < best) best = share;
        if (verdict_of(family) == MapVerdict::td && share < td) td = share;
    }
    Opinion opinion{MapVerdict::none, MapVerdict::none, -best, -td};
    for (int k = 0; k < kFamilies; ++k)
        if (lines.unexplained(static_cast<Family>(k)) <= 1.25 * best + kMapSame) {
            opinion.name = verdict_of(static_cast<Family>(k));
            break;
        }
    return opinion;
}

Opinion read_from_map(const BenchNetwork& network, const BenchPrompts& prompts) {
    return opinion_of(bench_reading(network, prompts));
}

}  // namespace

BenchPrompts::BenchPrompts(const BankOptions& options, int layers) {
    BankOptions sized = options;
    sized.size = kBenchFitted + kBenchJudged;
    const HeldOutBank bank(sized);
    fit = std::make_shared<const LineUpPrompts>(bank, 0, 0, kBenchFitted);
    judge = std::make_shared<const LineUpPrompts>(bank, 0, kBenchFitted, kBenchJudged);
    few = std::make_shared<const MapBench>(std::make_shared<const LineUpPrompts>(bank, 0, 0, kLineUpPrompts), judge);
    const int n = options.context_lengths.front(), rows = 2 * options.tasks.d + 1;
    Mrp mrp;
    for (uint32_t i = 0; i < kTraced; ++i) {
        draw_mrp(options.tasks, derive_seed(options.seed, Purpose::testing), i, mrp);
        Stream stream(options.seed, Purpose::testing, i);
        contexts.push_back(draw_transitions(mrp, options.tasks.gamma, n, stream));
    }
    for (uint32_t i = 0; i < kControls; ++i) {
        Stream stream(options.seed, Purpose::initial_weights, i, 4);
        BenchNetwork control;
        for (int l = 0; l < layers; ++l)
            for (auto* matrices : {&control.P, &control.Q}) {
                MatrixXd matrix(rows, rows);
                for (double& entry : matrix.reshaped()) entry = stream.normal() / std::sqrt(rows);
                matrices->push_back(matrix);
            }
        controls.push_back(control);
    }
}

MapReading bench_reading(const BenchNetwork& network, const BenchPrompts& prompts) {
    return read_map(*prompts.fit, *prompts.judge, values_on(*prompts.fit, network), values_on(*prompts.judge, network),
                    network.layers(), 0);
}

Opinion opinion_of(const MapReading& reading) {
    Opinion opinion;
    if (!std::isfinite(reading.unexplained)) return {MapVerdict::none, MapVerdict::none, -10, -10};
    opinion.name = named_place(reading);
    opinion.position = {landmark_of(reading), reading.beta.value, reading.c.value};
    opinion.sure = -reading.unexplained;
    opinion.td = -std::hypot(reading.beta.value - 1, reading.c.value);
    if (reading.verdict == MapVerdict::none) opinion.td = -10;
    if (!reading.matrices.empty()) {  // TD(C_l)
        opinion.otherwise = MapVerdict::td;
        opinion.td = 0;
    }
    return opinion;
}

const std::vector<NamedJudge>& bench_judges() {
    static const std::vector<NamedJudge> judges = {
        {"pattern", "pattern of the weights", "pattern",
         "The rule of experiment td on three blocks of P and Q; with the lower blocks of Corollary 2 as well, residual "
         "gradient.",
         false, read_pattern},
        {"iws", "IWS, equal to SS", "IWS",
         "Mean cosine of the network's and batch TD's weight vectors, TD's step size fitted. Values are linear in the "
         "query, so SS is the same number.",
         true, iws_of},
        {"line_up", "line-up", "line-up",
         "The family that explains most, or a simpler one that explains nearly as much; none for the family with a "
         "feature map.",
         false, line_up},
        {"map", "map", "map", "The verdict of identify: the point (\u03b2, c) and its landmarks.", false,
         read_from_map},
        {"probe_weights", "probe of w", "probe of w",
         "Ridge regression of batch TD's weight vector after each layer on the averages of that layer's Z, less what "
         "it finds in random networks.",
         true, probe_weights},
        {"probe_errors", "probe of TD errors", "probe of errors",
         "Linear regression of batch TD's errors on the columns of each layer's Z, less what it finds in random "
         "networks.",
         true, probe_errors},
        {"interchange", "interchange", "interchange",
         "The last row of one prompt's Z, its errors, is put into another prompt's between two layers; the algorithm "
         "that foretells what follows.",
         false, interchange}};
    return judges;
}

}  // namespace emergence
