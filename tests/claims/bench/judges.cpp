#include "tests/claims/bench/judges.h"

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"
#include "core/measures/emergence.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

constexpr uint32_t kTraced = 96, kControls = 4;

// The pattern that theory gives P and Q. Of several layers the last needs no bootstrapping.
Opinion read_pattern(const KnownNetwork& network, const BenchPrompts&) {
    const auto table_of = [](const Eigen::MatrixXd& matrix) {
        Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
        for (int i = 0; i < table.rows; ++i)
            for (int j = 0; j < table.columns; ++j) table(i, j) = matrix(i, j);
        return table;
    };
    bool td = true, residual = true;
    for (int l = 0; l < network.layers; ++l) {
        const ElementWise e = element_wise(table_of(network.P_at(l)), table_of(network.Q_at(l)));
        const int layers = l + 1 < network.layers ? network.layers : 1;
        td = td && has_emerged(e, network.d, layers);
        residual = residual && lacks_to_emerge_residual(e, network.d, layers).empty();
    }
    return {residual ? VerdictName::residual_gradient : VerdictName::td, td || residual ? 1.0 : 0.0,
            td && !residual ? 1.0 : 0.0};
}

// The mean cosine of the network's weight vectors and batch TD's, with the step size that resembles most. Values are linear
// in the query, so SS is the same number.
Opinion iws_of(const KnownNetwork& network, const BenchPrompts& prompts) {
    const auto mean_cosine = [&](const FitPrompts& on, double alpha) {
        const FamilyBank bank = on.bank();
        std::vector<double> td(static_cast<size_t>(network.layers) + 2, alpha);
        td[0] = 1;
        td[1] = 0;
        const std::vector<double> values = on.values(network.view()), nothing(values.size(), 0);
        // |w - w_TD|^2, |w|^2 and |w_TD|^2, each in the form that weighs values
        const std::vector<double> between = family_errors(bank, values.data(), td, Steps::scalar),
                                  theirs = family_errors(bank, nothing.data(), td, Steps::scalar),
                                  own = family_errors(bank, values.data(), {0, 0, 0}, Steps::scalar);
        double sum = 0;
        for (int i = 0; i < on.size(); ++i) {
            const auto at = static_cast<size_t>(i);
            sum += (own[at] + theirs[at] - between[at]) / (2 * std::sqrt(own[at] * theirs[at]));
        }
        return sum / on.size();
    };
    double best = -1, best_alpha = 1;
    for (int power = -8; power <= 3; ++power)
        if (const double cosine = mean_cosine(prompts.verdict.fit, std::exp2(power / 2.0)); cosine > best) {
            best = cosine;
            best_alpha = std::exp2(power / 2.0);
        }
    const double iws = mean_cosine(prompts.verdict.judge, best_alpha);
    return {VerdictName::td, iws, iws};
}

Opinion verdict_on(const KnownNetwork& network, const BenchPrompts& prompts) {
    const NetworkVerdict said = verdict(network.view(), prompts.verdict, prompts.landmarks);
    if (!said.has_values()) return {said.name, 1, -10};
    // By how much TD leaves less than any other named algorithm.
    constexpr size_t kTd = 2;
    double others = 1;
    for (size_t m = 0; m < said.leaves.size(); ++m)
        if (m != kTd) others = smaller(others, said.leaves[m].value);
    return {said.name, 1, others - said.leaves[kTd].value};
}

}  // namespace

BenchPrompts::BenchPrompts(const BankOptions& options, int layers)
    : verdict(HeldOutBank(options), 0, PlaceAxis::gradient), landmarks(landmarks_of(PlaceAxis::gradient, 0)) {
    Mrp mrp;
    for (uint32_t i = 0; i < kTraced; ++i) {
        draw_mrp(options.tasks, derive_seed(options.seed, Purpose::testing), i, mrp);
        Stream stream(options.seed, Purpose::testing, i);
        contexts.push_back(draw_transitions(mrp, options.tasks.gamma, options.context_lengths.front(), stream));
    }
    for (const KnownNetwork& network :
         known_networks({.d = options.tasks.d, .layers = layers, .seed = options.seed}, 0))
        if (network.truth == VerdictName::none && controls.size() < kControls) controls.push_back(network);
}

const std::vector<Judge>& bench_judges() {
    static const std::vector<Judge> judges = {{"pattern", "pattern of the weights", false, read_pattern},
                                              {"iws", "IWS", true, iws_of},
                                              {"verdict", "verdict", false, verdict_on},
                                              {"probe_weights", "probe of w", true, probe_weights},
                                              {"probe_errors", "probe of TD errors", true, probe_errors},
                                              {"interchange", "interchange", false, interchange}};
    return judges;
}

}  // namespace emergence
