// Pictures of surgery: value error by context length, and the operated matrices.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/experiments/in_context_td/pictures/more_layers.h"
#include "core/experiments/in_context_td/pictures/td_plots.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/experiments/in_context_td/surgery/surgery.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The operated network of one seed, without and with its step size refitted.
struct Operated {
    std::vector<float> weights, refitted;
    double step = 1;
};
Operated operated(const InContextTdConfig& config, const SurgeryBench& bench, const std::vector<Operation>& operations,
                  const std::vector<float>& weights) {
    Operated result;
    result.weights = operate(network_shape(config), weights, operations, config.loss.kind);
    result.step = refitted_step(*bench.fitted, 0, config.num_layers, result.weights);
    result.refitted = with_step(result.weights, result.step);
    return result;
}

// Adds the operated matrices as copies of the learned ones.
void add_operated_matrices(const NetworkShape& shape, const std::vector<std::vector<float>>& weights,
                           Snapshot& snapshot) {
    std::vector<NamedMatrix> copies;
    for (const NamedMatrix& learned : snapshot.matrices) {
        const bool is_p = learned.name[0] == 'P';
        if ((!is_p && learned.name[0] != 'Q') || learned.seeds.empty()) continue;
        const size_t size = learned.seeds[0].values.size();
        const auto layer = static_cast<size_t>(std::stoi(learned.name.substr(1)));
        NamedMatrix copy = learned;
        copy.name = "operated " + learned.name;
        copy.title = learned.name + " operated on";
        copy.target.reset();
        copy.meanings.clear();
        copy.initial_products = Table();
        const size_t start = ((is_p ? 0 : static_cast<size_t>(shape.stored)) + layer) * size;
        for (size_t k = 0; k < copy.seeds.size(); ++k)
            std::copy_n(weights[k].begin() + static_cast<std::ptrdiff_t>(start), size, copy.seeds[k].values.begin());
        copies.push_back(std::move(copy));
    }
    snapshot.matrices.insert(snapshot.matrices.end(), copies.begin(), copies.end());
}

PlotSpec empty_plot(const InContextTdConfig& config, const HeldOutBank& bank,
                    const std::vector<LearnedWeights>& seeds) {
    Plot plot("surgery", "Value error after surgery");
    plot.leads();
    plot.x("n").from(0.0).to(static_cast<double>(bank.options().context_lengths.back()));
    plot.y(fmt::format("MSVE, {} held-out MRPs", SurgeryBench::kJudgedMrps)).cut(kErrorCut * bank.msve_of_zero());
    plot.level("best linear", bank.msve_of_best_linear()).level("predict zero", bank.msve_of_zero());
    plot.mark(fmt::format("n = {}", config.eval_context_length), static_cast<double>(config.eval_context_length));
    const std::vector<double> x(bank.options().context_lengths.begin(), bank.options().context_lengths.end());
    plot.add({"untouched", x, {}, 0});
    plot.add({"operated", x, {}, 3});
    plot.add({"operated, step refitted", x, {}, 2});
    plot.add({batch_td_name(config, seeds), x, {}, 1, true});
    plot.note(fmt::format(
        "A copy of the network after: {}. Step refitted: all P times one number, with which the value error "
        "at "
        "n = {} is least on {} other MRPs; an operation changes the size of the steps too, and without that "
        "one could not tell the two apart.",
        config.surgery, config.context_length, SurgeryBench::kFittedMrps));
    return plot;
}

// Adds the errors at the marked context length and the factor of the refitted step.
void add_readouts(const InContextTdConfig& config, size_t marked, std::vector<double> steps, PlotSpec& plot,
                  Snapshot& snapshot) {
    const char* const names[] = {"untouched", "operated", "refitted"};
    for (size_t i = 0; i < 3; ++i)
        snapshot.scalars.push_back(
            {fmt::format("surgery_{}", names[i]), names[i], summarise(plot.series[i].rows, marked).mean, "",
             fmt::format("{}: MSVE at n = {}, mean over seeds.", plot.series[i].name, config.eval_context_length)});
    std::sort(steps.begin(), steps.end());
    const double missing_step = std::numeric_limits<double>::quiet_NaN();
    snapshot.scalars.push_back({"surgery_step", "refitted: step times",
                                steps.empty() ? missing_step : steps[(steps.size() - 1) / 2], "",
                                "By what P was multiplied to refit the operated network's step size, the median "
                                "seed's."});
    plot.readout = fmt::format("{}; at n = {}: untouched {}, operated {}, refitted {} (step times {})", config.surgery,
                               config.eval_context_length, readout(snapshot.scalars.end()[-4].value),
                               readout(snapshot.scalars.end()[-3].value), readout(snapshot.scalars.end()[-2].value),
                               readout(snapshot.scalars.back().value));
}

}  // namespace

void add_surgery_views(const InContextTdConfig& config, const SurgeryBench& bench,
                       const std::vector<LearnedWeights>& seeds, Snapshot& snapshot) {
    const HeldOutBank& bank = bench.judged->bank();
    const auto& lengths = bank.options().context_lengths;
    const int layers = config.num_layers;
    const auto operations = parse_operations(config.surgery, network_shape(config).stored);
    PlotSpec plot = empty_plot(config, bank, seeds);
    const std::vector<double> missing(lengths.size(), std::numeric_limits<double>::quiet_NaN());
    const auto curve = [&](const std::vector<float>& weights) {
        return bounded_errors(bench.judged->msve_by_length(layers, weights));
    };
    std::vector<std::vector<float>> shown;
    std::vector<double> steps;
    for (const LearnedWeights& seed : seeds) {
        const Operated copy = operated(config, bench, operations, seed.weights);
        shown.push_back(copy.weights);
        if (!seed.failed) steps.push_back(copy.step);
        plot.series[0].rows.push_back(seed.failed ? missing : curve(seed.weights));
        plot.series[1].rows.push_back(seed.failed ? missing : curve(copy.weights));
        plot.series[2].rows.push_back(seed.failed ? missing : curve(copy.refitted));
        plot.series[3].rows.push_back(seed.failed ? missing : bounded_errors(bank.msve_by_length(layers, seed.alpha)));
    }
    add_readouts(config, marked_place(config, bank), std::move(steps), plot, snapshot);
    snapshot.plots.insert(snapshot.plots.begin(), std::move(plot));
    std::vector<LearnedWeights> copies = seeds;
    for (size_t k = 0; k < copies.size(); ++k) copies[k].weights = shown[k];
    for (auto& [name, array] : weight_arrays(network_shape(config), copies))
        if (name != "alpha") snapshot.weights["operated " + name] = array;
    add_operated_matrices(network_shape(config), shown, snapshot);
}

}  // namespace emergence
