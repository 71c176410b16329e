#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {

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
    std::vector<GridConfig> runs;
    for (const FinishedRun& run : made.runs) runs.push_back({run.label, run.snapshot.settings, run.own});
    return runs;
}

Settings settings_of(const std::vector<GridConfig>& runs) {
    Settings settings = runs.front().settings;
    for (const FieldInfo& field : settings.fields()) {
        const auto shared = find_if(runs, [&](const GridConfig& run) {
            return run.settings.has(field.name) && !contains(run.own, field.name);
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
    for (const FieldInfo& field : settings.fields()) {
        const FieldValue& value = settings.value(field.name);
        if (value == start.value(field.name) || value == used.value(field.name)) continue;
        std::vector<std::string> values;
        for (const GridConfig& run : runs)
            if (run.settings.has(field.name))
                if (const std::string one = to_text(run.settings.value(field.name)); !contains(values, one))
                    values.push_back(one);
        throw InputError("{}: figure {} sets this itself, to {}, and would ignore {}. Leave it out", field.name,
                         figure.name, fmt::join(values, ", "), to_text(value));
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
        text += fmt::format(" The figure's settings list what {} of {} runs change.", panels.size(), runs.size());
    else if (!panels.empty())
        text += fmt::format(" Runs: {}.", fmt::join(panels, "; "));
    const std::vector<std::string> seeds =
        mapped(made.runs, [](const FinishedRun& run) { return seed_list_text(run.snapshot.seeds); });
    if (seeds.empty()) return text;
    const bool same = all_of(seeds, [&](const auto& one) { return one == seeds[0]; });
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

namespace {

namespace fs = std::filesystem;

// The value of a key that must be there.
template <class T>
T named_value(const toml::table& table, std::string_view key, const std::string& source) {
    if (const auto value = table[key].value<T>()) return *value;
    const bool text = std::is_same_v<T, std::string>, whole = std::is_same_v<T, int64_t>;
    throw InputError("{}: {}: {} is needed", source, key,
                     text    ? "a text in quotes"
                     : whole ? "a whole number"
                             : "a number");
}

std::string decimal_text(double value) { return toml_value(FieldValue(value)); }

Measurement measurement_in(const toml::table& claim, const std::string& source) {
    Measurement measured{named_value<double>(claim, "measured", source),
                         named_value<std::string>(claim, "detail", source)};
    if (claim.contains("n")) measured.n = named_value<int64_t>(claim, "n", source);
    if (!claim.contains("interval")) return measured;
    const toml::array* ends = claim["interval"].as_array();
    const auto end = [&](size_t i) -> std::optional<double> {
        return ends != nullptr && ends->size() == 2 ? (*ends)[i].value<double>() : std::nullopt;
    };
    if (!end(0) || !end(1) || !(*end(0) <= *end(1)))
        throw InputError("{}: interval: two numbers are needed, the lower one first", source);
    measured.interval = Range{*end(0), *end(1)};
    return measured;
}

}  // namespace

const Measurement* measured_of(const Claim& claim, const ClaimResults& results) {
    if (results.figure != (claim.figure.empty() ? kVerified : claim.figure)) return nullptr;
    const auto found = results.claims.find(claim.name);
    return found == results.claims.end() ? nullptr : &found->second;
}

const Measurement* measured_of(const Claim& claim, const std::vector<ClaimResults>& all) {
    const Measurement* found = nullptr;
    for (size_t i = 0; i < all.size() && found == nullptr; ++i) found = measured_of(claim, all[i]);
    return found;
}

std::string claim_results_to_toml(const ClaimResults& results) {
    std::string text =
        fmt::format("figure = {}\nversion = {}\n", quoted_toml(results.figure), quoted_toml(results.version));
    if (!results.commit.empty()) text += fmt::format("commit = {}\n", quoted_toml(results.commit));
    if (!results.date.empty()) text += fmt::format("date = {}\n", quoted_toml(results.date));
    text += fmt::format("config = {}\nseconds = {}\ncpu_seconds = {}\nthreads = {}\n", quoted_toml(results.config),
                        decimal_text(results.seconds), decimal_text(results.cpu_seconds), results.threads);
    std::string panels;
    for (const std::string& panel : results.panels) panels += "    " + quoted_toml(panel) + ",\n";
    if (!panels.empty()) text += fmt::format("panels = [\n{}]\n", panels);
    text += "\n[claims]\n";
    for (const auto& [name, measured] : results.claims) {
        text += fmt::format("\n[claims.{}]\nmeasured = {}\ndetail = {}\n", quoted_toml(name),
                            decimal_text(measured.value), quoted_toml(measured.detail));
        if (measured.interval)
            text += fmt::format("interval = [{}, {}]\n", decimal_text(measured.interval->low),
                                decimal_text(measured.interval->high));
        if (measured.n > 0) text += fmt::format("n = {}\n", measured.n);
    }
    return text;
}

ClaimResults parse_claim_results(std::string_view text, const std::string& source) {
    const toml::table table = parse_toml(text, source, true);
    const auto text_of_key = [&](const char* key) { return named_value<std::string>(table, key, source); };
    ClaimResults results{text_of_key("figure"),
                         text_of_key("version"),
                         text_of_key("config"),
                         named_value<double>(table, "seconds", source),
                         named_value<double>(table, "cpu_seconds", source),
                         named_value<int64_t>(table, "threads", source),
                         {}};
    if (table.contains("commit")) results.commit = text_of_key("commit");
    if (table.contains("date")) results.date = text_of_key("date");
    if (const toml::node* panels = table.get("panels")) {
        auto texts = texts_in(*panels);
        if (!texts) throw InputError("{}: panels: a list of texts in quotes is needed", source);
        results.panels = *std::move(texts);
    }
    const toml::table* claims = table["claims"].as_table();
    if (claims == nullptr) throw InputError("{}: claims: a table is needed", source);
    for (const auto& [name, node] : *claims) {
        const toml::table* claim = node.as_table();
        if (claim == nullptr) throw InputError("{}: claims.{}: a table is needed", source, name.str());
        results.claims[std::string(name.str())] = measurement_in(*claim, source);
    }
    return results;
}

ClaimResults read_claim_results(const fs::path& path) { return parse_claim_results(read_text(path), path.string()); }

std::vector<ClaimResults> read_all_claim_results(const fs::path& folder) {
    return mapped(toml_files_in(folder), read_claim_results);
}

}  // namespace emergence
