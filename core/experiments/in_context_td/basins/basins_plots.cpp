// Pictures of experiment "basins".
#include <fmt/format.h>

#include "core/experiments/figure_parts.h"
#include "core/experiments/in_context_td/basins/basins.h"
#include "core/lab/views/measured.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

std::string gain_text(double gain) { return fmt::format("{:.2g}", gain); }

// One number per training, scales x seeds. A matrix needs one table per seed; here all are equal.
ShownMatrix grid_of(const char* name, const char* title, const char* help, const BasinsConfig& config,
                    const std::vector<const BasinsSeed*>& seeds, double (*value)(const BasinState&)) {
    const auto gains = gains_of(config);
    std::vector<Block> rows;
    for (const double gain : gains) rows.push_back({"gain " + gain_text(gain), 1});
    Table table(static_cast<int>(gains.size()), static_cast<int>(seeds.size()));
    for (int k = 0; k < table.columns; ++k)
        for (int i = 0; i < table.rows; ++i) table(i, k) = value(seeds[k]->states()[i]);
    ShownMatrix matrix(name, title, help);
    matrix.rows(std::move(rows)).everywhere(table, seeds.size()).free_aspect();
    matrix.columns({{fmt::format("seeds {} to {}", config.seed, config.seed + config.seeds - 1), table.columns}});
    return matrix.as_is("each cell is one training");
}

double outcome(const BasinState& state) {
    if (state.failed) return kMissing;
    return state.basin() == Basin::emerged ? 1.0 : state.basin() == Basin::second ? -1.0 : 0.0;
}
double time_to_emergence(const BasinState& state) {
    return state.emerged_at < 0 ? kMissing : static_cast<double>(state.emerged_at);
}
double similarity(const BasinState& state) { return state.failed ? kMissing : state.iws; }

int count_of(const std::vector<const BasinsSeed*>& seeds, Basin basin) {
    int count = 0;
    for (const BasinsSeed* seed : seeds)
        for (const BasinState& state : seed->states()) count += !state.failed && state.basin() == basin;
    return count;
}

}  // namespace

Metrics<BasinsMeasured> basins_metrics(const BasinsConfig& config) {
    Metrics<BasinsMeasured> metrics = {};
    size_t i = 0;
    for (const double gain : gains_of(config)) {
        const std::string at = gain_text(gain);
        metrics.add(
            {{"not_emerged_gain_" + at, "gain " + at,
              "1 until the training from this scale has emerged for the first time, that is until the pattern has "
              "lasted for ten logged steps; then 0.",
              [i](const BasinsMeasured& states) { return states[i].emerged_at < 0 ? 1.0 : 0.0; }, true},
             {"iws_gain_" + at, "gain " + at,
              "Cosine of the implicit weight of the training from this scale and batch TD's.",
              [i](const BasinsMeasured& states) { return similarity(states[i]); }}});
        ++i;
    }
    return metrics;
}

std::vector<MetricPlot> basins_plots(const BasinsConfig& config) {
    HistoryPlot survival("survival", "Not yet emerged"), similarities("iws_by_gain", "IWS");
    survival.y("fraction of seeds").from(0.0).to(1.0);
    survival.note(
        "The fraction of seeds whose training has not emerged yet, a curve a scale of the initial weights: survival "
        "curves. They fall once the pattern has lasted for ten logged steps. A level end is the second basin and what "
        "never leaves the start.");
    similarities.y("cosine").to(1.0);
    similarities.note(
        "Similarity of the network's implicit weights to batch TD's, a curve a scale of the initial weights.");
    int color = 0;
    for (const double gain : gains_of(config)) {
        survival.line("not_emerged_gain_" + gain_text(gain)).color(color);
        similarities.line("iws_gain_" + gain_text(gain)).color(color++);
    }
    return {survival, similarities};
}

std::vector<NamedMatrix> basins_matrices(const BasinsConfig& config, const std::vector<const BasinsSeed*>& seeds) {
    return {
        grid_of("outcome", "Outcome",
                "As it is now. +1: emerged, by the rule of experiment td. -1: second basin (ours): not emerged, "
                "P's corner within 0.5 of 0 and IWS above 0.7. 0: neither. Hatched: diverged. A training that had "
                "emerged, as the panel below tells, may have left again.",
                config, seeds, outcome),
        grid_of(
            "emerged_after", "Emerged after",
            "MRPs from which on it has had the pattern, once that has lasted for ten logged steps; if it has left again, "
            "those of the last time. Hatched: never yet.",
            config, seeds, time_to_emergence)
            .unit("MRPs")
            .nonnegative(),
        grid_of("iws", "IWS", "Cosine of the network's implicit weights and batch TD's.", config, seeds, similarity)};
}

std::vector<Scalar> basins_scalars(const BasinsConfig& config, const std::vector<const BasinsSeed*>& seeds) {
    // A seed's trainings share random numbers: they count as one for the interval.
    const auto share = [&](Basin basin, const char* name, const char* label, const std::string& help) {
        const auto count = static_cast<int>(seeds.size());
        const double value = count_of(seeds, basin) / (static_cast<double>(count) * config.num_gains);
        const auto [low, high] = share_interval(value, count);
        return Scalar{name, label, value, fmt::format("({:.2f} to {:.2f})", low, high),
                      help + " In brackets its 95 % interval, a seed counted once."};
    };
    return {share(Basin::emerged, "emerged", "share emerged",
                  "Share of all trainings that are emerged now by the rule of experiment td."),
            share(Basin::second, "second_basin", "share in the second basin",
                  "Share of all trainings that have not emerged, with P's corner within 0.5 of 0 and IWS above 0.7 (ours)."),
            share(Basin::neither, "neither", "share of neither", "Share of the others.")};
}

std::string basins_headline(const BasinsConfig& config, const std::vector<const BasinsSeed*>& seeds) {
    return fmt::format("now {} of {} trainings are emerged, {} are in the second basin",
                       count_of(seeds, Basin::emerged), seeds.size() * static_cast<size_t>(config.num_gains),
                       count_of(seeds, Basin::second));
}

}  // namespace emergence
