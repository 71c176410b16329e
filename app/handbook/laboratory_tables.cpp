// Tables of the experiments, their presets, figures, settings and metrics, and of the handbook itself.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "app/handbook/chapters.h"
#include "app/handbook/generated.h"
#include "app/handbook/glossary.h"
#include "app/handbook/markdown_table.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/figures/claim_files.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"

namespace emergence::handbook {
namespace {

using Experiments = std::vector<ExperimentInfo>;

const Paper& paper_named(const std::string& name) {
    std::vector<std::string> names;
    for (const Paper& paper : papers()) {
        if (paper.name == name) return paper;
        names.push_back(paper.name);
    }
    throw InputError(unknown_name("paper", name, names, "'emergence-cli reproduce --help' names all"));
}

const ExperimentInfo& experiment_named(const std::string& name, const Experiments& experiments) {
    std::vector<std::string> names;
    for (const ExperimentInfo& info : experiments) {
        if (info.name == name) return info;
        names.push_back(info.name);
    }
    throw InputError(unknown_name("experiment", name, names, "'emergence-cli list' names all"));
}

std::vector<const ExperimentInfo*> experiments_of(const Paper& paper, const Experiments& experiments) {
    std::vector<const ExperimentInfo*> found;
    for (const std::string& name : paper.experiments) found.push_back(&experiment_named(name, experiments));
    return found;
}

std::string preset_link(const std::string& preset, const LinkPlaces& places) {
    return fmt::format("[{}]({}{}.toml)", as_code(preset), places.presets, preset);
}

std::string experiments_table(const Paper& paper, const Experiments& experiments) {
    std::string table = head({"experiment", "shows", ""});
    for (const ExperimentInfo* info : experiments_of(paper, experiments))
        table += row({as_code(info->name), escaped(info->title), escaped(info->summary)});
    return table;
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

std::string figures_table(const Paper& paper, const Experiments& experiments, const LinkPlaces& places) {
    std::string table = head({"figure", "shows", "experiment"});
    for (const NamedFigure& figure : figures_of(paper, experiments))
        table += row({preset_link(figure.preset, places), escaped(figure.title), as_code(figure.experiment)});
    return table;
}

// Those that are no figure's: figures have a table of their own.
std::string presets_table(const Paper& paper, const Experiments& experiments, const std::filesystem::path& assets,
                          const LinkPlaces& places) {
    std::set<std::string> done;
    for (const NamedFigure& figure : figures_of(paper, experiments)) done.insert(figure.preset);
    std::string table = head({"preset", "shows", "experiment"});
    for (const ExperimentInfo* info : experiments_of(paper, experiments))
        for (const std::string& name : preset_names(assets)) {
            const SettingsFile file = read_settings(preset_path(assets, name));
            if (file.experiment != info->name || done.contains(name)) continue;
            std::string shows = "**" + escaped(file.title) + "**";
            if (!file.description.empty()) shows += ". " + escaped(file.description);
            table += row({preset_link(name, places), shows, as_code(info->name)});
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

std::string metrics_table(const ExperimentInfo& info) {
    std::string table = head({"metric", "name", "meaning"});
    const std::unique_ptr<Study> study = info.make(Settings(info.fields));
    for (const MetricInfo& metric : study->metrics())
        table += row({as_code(metric.name), escaped(metric.label), escaped(metric.help)});
    return table;
}

std::string chapters_table(const std::filesystem::path& assets, const LinkPlaces& places) {
    std::string table = head({"chapter", "is for"});
    for (const Document& chapter : read_chapters(assets))
        table += row({fmt::format("[{}]({}{}.md)", escaped(chapter.title), places.chapters, chapter.name),
                      escaped(summary_of(chapter))});
    return table;
}

std::string glossary_table(const LinkPlaces& places) {
    std::string table = head({"term", "meaning", "formula", "explained in"});
    for (const Term& term : glossary())
        table += row({"**" + escaped(term.word) + "**", escaped(term.definition), as_code(term.equation),
                      fmt::format("[{}]({}{})", chapter_of(term.page), places.chapters, term.page)});
    return table;
}

// "wang-" and 4 of "wang-4"; 0 if it ends without a number.
std::pair<std::string, int> numbered(const std::string& name) {
    const size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits >= name.size() || name.size() - digits > 4) return {name, 0};
    return {name.substr(0, digits), std::stoi(name.substr(digits))};
}

// "`wang-1`, `wang-2`, `wang-4` to `wang-8`", sorted.
std::string name_list(std::vector<std::string> names) {
    std::sort(names.begin(), names.end(),
              [](const std::string& a, const std::string& b) { return numbered(a) < numbered(b); });
    std::string list;
    for (size_t first = 0; first < names.size();) {
        size_t last = first;
        const auto [stem, number] = numbered(names[first]);
        while (number > 0 && last + 1 < names.size() &&
               numbered(names[last + 1]) == std::pair(stem, number + static_cast<int>(last + 1 - first)))
            ++last;
        if (last == first + 1) last = first;  // two are named apart
        list += (list.empty() ? "" : ", ") + as_code(names[first]);
        if (last > first) list += " to " + as_code(names[last]);
        first = last + 1;
    }
    return list;
}

std::string watch_table(const Experiments& experiments, const LinkPlaces& places) {
    std::string table = head({"paper", "experiments", "figures"});
    for (const Paper& paper : papers()) {
        std::vector<std::string> figures;
        for (const NamedFigure& figure : figures_of(paper, experiments)) figures.push_back(figure.name);
        const std::string names = listed(paper.experiments, as_code);
        table += row({fmt::format("[{}]({}{}.md)", escaped(paper.citation), places.chapters, paper.name), names,
                      name_list(std::move(figures))});
    }
    return table;
}

}  // namespace

Tables laboratory_tables(const std::vector<ExperimentInfo>& experiments, const std::filesystem::path& assets) {
    const auto of_paper = [](auto make) {
        return [make](const std::string& argument, const LinkPlaces& places) {
            return make(paper_named(argument), places);
        };
    };
    const auto of_experiment = [&experiments](auto make) {
        return [make, &experiments](const std::string& argument, const LinkPlaces&) {
            return make(experiment_named(argument, experiments));
        };
    };
    using Places = LinkPlaces;
    using Name = std::string;
    return {
        {"experiments", of_paper([&](const Paper& p, const Places&) { return experiments_table(p, experiments); })},
        {"figures", of_paper([&](const Paper& p, const Places& at) { return figures_table(p, experiments, at); })},
        {"presets", of_paper([&experiments, assets](const Paper& p, const Places& at) {
             return presets_table(p, experiments, assets, at);
         })},
        {"claims", of_paper([&experiments, assets](const Paper& p, const Places&) {
             const std::vector<Claim> all = claims_in(assets / "figures", experiments);
             std::vector<Claim> claims;
             for (const std::string& name : p.experiments)
                 for (const Claim& claim : all)
                     if (claim.experiment == name) claims.push_back(claim);
             return claims_table(claims, assets / "results");
         })},
        {"settings", of_experiment(settings_table)},
        {"metrics", of_experiment(metrics_table)},
        {"chapters", [assets](const Name&, const Places& at) { return chapters_table(assets, at); }},
        {"glossary", [](const Name&, const Places& at) { return glossary_table(at); }},
        {"formats", [](const Name&, const Places&) { return formats_table(); }},
        {"limits", [](const Name&, const Places&) { return limits_table(); }},
        {"quantities", [](const Name&, const Places&) { return quantities_table(); }},
        {"watch", [&](const Name&, const Places& at) { return watch_table(experiments, at); }},
        {"verdicts",
         [&experiments, assets](const Name&, const Places&) {
             return verdicts_table(claims_in(assets / "figures", experiments), assets / "results");
         }},
        {"power",
         [&experiments, assets](const Name&, const Places&) {
             return power_table(claims_in(assets / "figures", experiments), assets / "results");
         }},
        {"results", [assets](const Name&, const Places&) { return results_table(assets / "results"); }},
        {"training",
         [&experiments, assets](const Name&, const Places&) { return training_table(experiments, assets); }},
    };
}

}  // namespace emergence::handbook
