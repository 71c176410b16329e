#include "core/lab/figures/figure_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml.h"

namespace emergence {

Stopwatch::Stopwatch() : start_(std::chrono::steady_clock::now()), cpu_start_(std::clock()) {}

double Stopwatch::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Stopwatch::cpu_seconds() const {
    return added_ + static_cast<double>(std::clock() - cpu_start_) / static_cast<double>(CLOCKS_PER_SEC);
}

Settings started(const FigureInfo& figure, Settings settings) {
    for (const auto& [field, value] : figure.start) settings.set(field, value);
    return settings;
}

Settings figure_settings(const ExperimentInfo& info, const FigureInfo& figure, const std::filesystem::path& assets) {
    Settings settings(info.fields);
    if (!figure.preset.empty()) apply(read_settings(preset_path(assets, figure.preset)), settings);
    return started(figure, std::move(settings));
}

std::string named_settings(const Settings& settings) {
    return settings_list(settings, [&](const FieldInfo& field) {
        return settings.value(field.name) != field.default_value || field.name == "seed" || field.name == "seeds";
    });
}

std::vector<GridConfig> runs_of(const MadeFigure& made) {
    std::vector<GridConfig> runs = made.computed;
    for (const FinishedRun& run : made.runs) runs.push_back({run.label, run.snapshot.settings, run.own});
    return runs;
}

Settings settings_of(const std::vector<GridConfig>& runs) {
    Settings settings = runs.front().settings;
    for (const FieldInfo& field : settings.fields()) {
        const auto shared = std::find_if(runs.begin(), runs.end(), [&](const GridConfig& run) {
            return run.settings.has(field.name) &&
                   std::find(run.own.begin(), run.own.end(), field.name) == run.own.end();
        });
        if (shared == runs.end()) continue;
        const FieldValue& value = shared->settings.value(field.name);
        if (value != settings.value(field.name)) settings.set(field.name, value);
    }
    return settings;
}

void refuse_unused(const ExperimentInfo& info, const FigureInfo& figure, const Settings& start,
                   const Settings& settings) {
    std::vector<GridConfig> runs = {{"", settings}};
    if (figure.plan) runs = figure.plan(info, settings);
    const Settings used = settings_of(runs);
    const auto unused = [&](const std::string& field) {
        return !figure.uses.empty() && std::find(figure.uses.begin(), figure.uses.end(), field) == figure.uses.end();
    };
    for (const FieldInfo& field : settings.fields()) {
        const FieldValue& value = settings.value(field.name);
        if (value == start.value(field.name)) continue;
        if (unused(field.name))
            throw InputError(fmt::format("{}: figure {} does not use it. Leave it out; it uses {}", field.name,
                                         figure.name, fmt::join(figure.uses, ", ")));
        if (value == used.value(field.name)) continue;
        std::vector<std::string> values;
        for (const GridConfig& run : runs)
            if (run.settings.has(field.name))
                if (const std::string one = to_text(run.settings.value(field.name));
                    std::find(values.begin(), values.end(), one) == values.end())
                    values.push_back(one);
        throw InputError(fmt::format("{}: figure {} sets it itself, to {}; {} would not be used. Leave it out",
                                     field.name, figure.name, fmt::join(values, ", "), to_text(value)));
    }
}

std::vector<std::string> panel_settings(const std::vector<GridConfig>& runs) {
    std::vector<std::string> panels;
    const Settings settings = settings_of(runs);
    for (const GridConfig& run : runs) {
        const std::string changes = settings_list(run.settings, [&](const FieldInfo& field) {
            return !settings.has(field.name) || run.settings.value(field.name) != settings.value(field.name);
        });
        if (!changes.empty()) panels.push_back(run.label.empty() ? changes : run.label + ": " + changes);
    }
    return panels;
}

std::string figure_config(const std::string& experiment, const std::string& figure,
                          const std::vector<GridConfig>& runs) {
    PictureOrigin origin{figure, {}};
    origin.runs = panel_settings(runs);
    return settings_to_toml(experiment, settings_of(runs), origin);
}

std::string made_text(const MadeFigure& made) {
    const std::vector<GridConfig> runs = runs_of(made);
    if (runs.empty()) return "";
    std::string text = changed_settings(settings_of(runs));
    constexpr size_t kMostListed = 8;
    const std::vector<std::string> panels = panel_settings(runs);
    if (panels.size() > kMostListed)
        text += fmt::format(" What {} of {} runs change of them is listed in the figure's settings.", panels.size(),
                            runs.size());
    else if (!panels.empty())
        text += fmt::format(" Runs: {}.", fmt::join(panels, "; "));
    std::vector<std::string> seeds;
    for (const FinishedRun& run : made.runs) seeds.push_back(seed_list_text(run.snapshot.seeds));
    if (seeds.empty()) return text;
    const bool same = std::all_of(seeds.begin(), seeds.end(), [&](const auto& one) { return one == seeds[0]; });
    size_t all = 0;
    for (const FinishedRun& run : made.runs) all += run.snapshot.seeds.size();
    if (same && seeds.size() == 1) return fmt::format("{} {}.", text, seeds[0]);
    if (same) return fmt::format("{} {} in each of {} runs.", text, seeds[0], seeds.size());
    return fmt::format("{} {} seeds in {} runs.", text, all, seeds.size());
}

ClaimResults claim_results(const std::string& figure, const std::vector<GridConfig>& runs, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured) {
    const auto tenths = [](double seconds) { return std::round(seconds * 10.0) / 10.0; };
    ClaimResults results{figure,
                         version(),
                         named_settings(settings_of(runs)),
                         tenths(watch.seconds()),
                         tenths(watch.cpu_seconds()),
                         threads,
                         {},
                         commit(),
                         local_time("%Y-%m-%d")};
    results.panels = panel_settings(runs);
    for (const MeasuredClaim& claim : measured) results.claims[claim.name] = claim.measurement;
    return results;
}

}  // namespace emergence
