// Makes the tables of experiments, their presets, figures, settings and metrics, and of the handbook itself.

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/quantity/quantity.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"
#include "tests/support/generated.h"

namespace emergence::handbook {
namespace {

using Experiments = std::vector<ExperimentInfo>;

const ExperimentInfo& experiment_named(const std::string& name, const Experiments& experiments) {
    return named(experiments, name, "experiment", "'emergence-cli list' names all");
}

std::vector<const ExperimentInfo*> experiments_of(const Paper& paper, const Experiments& experiments) {
    std::vector<const ExperimentInfo*> found;
    for (const std::string& name : paper.experiments) found.push_back(&experiment_named(name, experiments));
    return found;
}

std::string preset_link(const std::string& preset, const std::string& presets) {
    return fmt::format("[{}]({}{}.toml)", as_code(preset), presets, preset);
}

std::string experiments_table(const Paper& paper, const Experiments& experiments) {
    return table({"experiment", "shows", ""}, experiments_of(paper, experiments), [](const ExperimentInfo* info) {
        return std::vector{as_code(info->name), escaped(info->title), escaped(info->summary)};
    });
}

struct NamedFigure {
    std::string name, title, preset, experiment;
};

std::vector<NamedFigure> figures_of(const Paper& paper, const Experiments& experiments) {
    std::vector<NamedFigure> figures;
    for (const ExperimentInfo* info : experiments_of(paper, experiments)) {
        for (const auto& figure : info->figures)
            figures.push_back({figure.name, figure.title, figure.preset, info->name});
    }
    return figures;
}

std::string figures_table(const Paper& paper, const Experiments& experiments, const std::string& presets) {
    return table({"figure", "shows", "experiment"}, figures_of(paper, experiments), [&](const NamedFigure& figure) {
        return std::vector{preset_link(figure.preset, presets), escaped(figure.title), as_code(figure.experiment)};
    });
}

// Returns presets that belong to no figure, because figures have a table of their own.
std::string presets_table(const Paper& paper, const Experiments& experiments, const std::filesystem::path& assets,
                          const std::string& presets) {
    std::set<std::string> done;
    for (const NamedFigure& figure : figures_of(paper, experiments)) done.insert(figure.preset);
    std::string table = head({"preset", "shows", "experiment"});
    for (const ExperimentInfo* info : experiments_of(paper, experiments))
        for (const std::string& name : preset_names(assets)) {
            const SettingsFile file = read_settings(preset_path(assets, name));
            if (file.experiment != info->name || done.contains(name)) continue;
            std::string shows = "**" + escaped(file.title) + "**";
            if (!file.description.empty()) shows += ". " + escaped(file.description);
            table += row({preset_link(name, presets), shows, as_code(info->name)});
        }
    return table;
}

std::string settings_table(const ExperimentInfo& info) {
    std::string table = head({"setting", "default", "allowed", "applies", "meaning"});
    std::string group;
    for (const FieldInfo& field : *info.fields) {
        if (field.group != group) table += row({"**" + escaped(group = field.group) + "**", "", "", "", ""});
        std::string meaning = field.label;
        if (!field.help.empty()) meaning += (meaning.empty() ? "" : ": ") + field.help;
        if (const std::string acts = acts_text(field); !acts.empty()) meaning += " Acts while " + acts + ".";
        std::string value = as_code(to_text(field.default_value));
        if (!field.unit.empty()) value += " " + escaped(field.unit);
        table += row({as_code(field.name), value, escaped(allowed_text(field)),
                      field.applies == Applies::live ? "at once" : "restarts", escaped(meaning)});
    }
    return table;
}

}  // namespace

Tables laboratory_tables(const std::vector<ExperimentInfo>& experiments, const std::filesystem::path& assets) {
    const auto of_paper = [](auto make) {
        return [make](const std::string& argument, const std::string& presets) {
            return make(named(papers(), argument, "paper", "a chapter of this name explains each"), presets);
        };
    };
    const auto of_experiment = [&experiments](auto make) {
        return [make, &experiments](const std::string& argument, const std::string&) {
            return make(experiment_named(argument, experiments));
        };
    };
    using Name = std::string;
    return {
        {"experiments", of_paper([&](const Paper& p, const Name&) { return experiments_table(p, experiments); })},
        {"figures", of_paper([&](const Paper& p, const Name& at) { return figures_table(p, experiments, at); })},
        {"presets", of_paper([&experiments, assets](const Paper& p, const Name& at) {
             return presets_table(p, experiments, assets, at);
         })},
        {"claims", of_paper([&experiments, assets](const Paper& p, const Name&) {
             const std::vector<Claim> all = claims_in(assets / "figures", experiments);
             std::vector<Claim> claims;
             for (const std::string& name : p.experiments)
                 for (const Claim& claim : all)
                     if (claim.experiment == name) claims.push_back(claim);
             return claims_table(claims, assets / "results");
         })},
        {"settings", of_experiment(settings_table)},
        {"limits", [](const Name&, const Name&) { return limits_table(); }},
        {"quantities", [](const Name&, const Name&) { return quantities_table(); }},
        {"verdicts",
         [&experiments, assets](const Name&, const Name&) {
             return verdicts_table(claims_in(assets / "figures", experiments), assets / "results");
         }},
        {"power",
         [&experiments, assets](const Name&, const Name&) {
             return power_table(claims_in(assets / "figures", experiments), assets / "results");
         }},
        {"results", [assets](const Name&, const Name&) { return results_table(assets / "results"); }},
    };
}

// These are the tables of limits, quantities, preferences and keys.

namespace {

/// A row of the table: what a limit bounds.
struct Limit {
    std::string_view what;
    uint64_t most = 0;
    /// "bytes" are shown as KiB, MiB or GiB.
    std::string_view unit;
};
constexpr Limit kLimits[] = {
    {"a TOML text: settings, a lesson, a world, a sweep, preferences, a pasted text", kMostTomlBytes, "bytes"},
    {"nesting of TOML, JSON and conditions: brackets, parts of a dotted key, operations", kDeepestText, "levels"},
    {"a table, CSV", kMostTableBytes, "bytes"},
    {"a figure with settings: PDF, SVG, PNG, NPZ", kMostFigureBytes, "bytes"},
    {"the worlds of a folder together", kMostWorldsBytes, "bytes"},
    {"worlds in a folder", kMostWorlds, "files"},
    {"cells of a sweep", kMostCells, "cells"},
    {"seeds of all cells of a sweep", kMostSweepLines, "seeds"},
    {"answers of a class", kMostClassAnswers, "answers"},
    {"an NPZ, NPY or safetensors file, or a checkpoint; its arrays in memory", kMostArrayBytes, "bytes"},
    {"weights that a setting names, or a job's result; their arrays in memory", kMostWeightBytes, "bytes"},
    {"files in an archive", kMostArchiveFiles, "files"},
    {"an array's shape", kMostDimensions, "dimensions"},
    {"the header of an array in NPY or NPZ", kMostArrayHeader, "bytes"},
    {"the header of a safetensors file", kMostTensorHeader, "bytes"},
    {"a checkpoint's seeds", kMostStoredSeeds, "seeds"},
    {"a checkpoint's rows: logged steps times seeds", kMostStoredRows, "rows"},
    {"a step of a checkpoint or a moment", kMostStoredStep, "steps"},
    {"the file of a run's moments; its arrays in memory", kMostMomentFile, "bytes"},
    {"moments of a run", kMostMoments, "moments"},
    {"arrays of all moments and seeds", kMostMomentArrays, "arrays"},
    {"memory for the seeds of a run", kMostRunBytes, "bytes"},
};

constexpr const char* kByteUnits[] = {"bytes", "KiB", "MiB", "GiB"};

// Writes "64 MiB", "65,536 files", "2^53 steps".
std::string shown_limit(const Limit& limit) {
    if (limit.unit == "bytes") {
        size_t unit = 0;
        uint64_t most = limit.most;
        for (; most % 1024 == 0 && unit + 1 < std::size(kByteUnits); most /= 1024) ++unit;
        return fmt::format("{} {}", most, kByteUnits[unit]);
    }
    constexpr uint64_t kLargestWritten = uint64_t{1} << 40;
    if (limit.most >= kLargestWritten) return fmt::format("2^{} {}", std::bit_width(limit.most) - 1, limit.unit);
    return fmt::format("{} {}", with_commas(std::to_string(limit.most)), limit.unit);
}

}  // namespace

std::string quantities_table() {
    return table({"word", "is", "says"}, quantity_words(), [](const QuantityWord& word) {
        return std::vector{as_code(word.form), std::string(word.group), escaped(word.help)};
    });
}

std::string limits_table() {
    return table({"of", "at most"}, kLimits, [](const Limit& limit) {
        return std::vector{escaped(limit.what), shown_limit(limit)};
    });
}

std::string preferences_table(const FieldTable& fields) {
    std::string table = head({"preference", "default", "allowed", "meaning"});
    for (const FieldInfo& field : fields) {
        const std::string key = field.group.empty() ? field.name : field.group + "." + field.name;
        const std::string value = to_text(field.default_value);
        const std::string meaning = field.label.empty() ? field.help : field.label + ": " + field.help;
        table +=
            row({as_code(key), value.empty() ? "" : as_code(value), escaped(allowed_text(field)), escaped(meaning)});
    }
    return table;
}

std::string keys_table(const std::vector<KeyRow>& rows) {
    std::vector<std::string> topics;
    for (const KeyRow& key : rows)
        if (!contains(topics, key.topic)) topics.push_back(key.topic);
    std::string table = head({"key", "what it does"});
    for (const std::string& topic : topics) {
        table += row({"**" + escaped(topic) + "**", ""});
        for (const KeyRow& key : rows)
            if (key.topic == topic) table += row({escaped(key.keys), escaped(key.what)});
    }
    return table;
}

}  // namespace emergence::handbook
