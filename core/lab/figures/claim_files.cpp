#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kClaimKeys = {
    "statement",  "source", "quantity", "at_least", "at_most",  "reason",   "known_difference", "known",
    "experiment", "value",  "function", "detail",   "each_run", "interval", "algebra",          "like"};

class ClaimReader : private TomlReader {
  public:
    ClaimReader(const std::vector<ExperimentInfo>& experiments, std::string stem, std::vector<FileFault>& faults)
        : TomlReader(faults), experiments_(experiments), stem_(std::move(stem)) {}

    std::vector<Claim> read(const toml::table& root) {
        check_keys(root, figure_file_keys(), "a claim file");
        file_.experiment = experiment(root);
        experiment_ = find_named(experiments_, file_.experiment);
        has_cells_ = root.contains("cells");
        const bool named_figure = text(root, "figure", file_.figure);
        if (has_cells_ && !named_figure) file_.figure = stem_;
        if (!file_.figure.empty()) find_figure(root);
        const toml::table* claims = root["claims"].as_table();
        if (claims == nullptr && has_cells_) return {};
        if (claims == nullptr) {
            fault(0, "claims: is missing. Begin each claim with its name, e.g. [claims.my-claim]");
            return {};
        }
        std::map<uint32_t, std::pair<std::string, const toml::table*>> by_line;
        for (const auto& [name, node] : *claims) {
            const uint32_t line = name.source().begin.line;
            by_line[line] = {std::string(name.str()), node.as_table()};
            if (!node.is_table())
                fault(line, fmt::format("{}: a table is needed, e.g. [claims.{}]", name.str(), name.str()));
        }
        std::vector<Claim> read;
        for (const auto& [line, one] : by_line)
            if (one.second != nullptr) read.push_back(claim(one.first, line, *one.second, read));
        return read;
    }

  private:
    std::string experiment(const toml::table& table) {
        std::string name;
        if (text(table, "experiment", name) && find_named(experiments_, name) == nullptr)
            fault(line_of(*table.get("experiment")),
                  "experiment: " + unknown_name("experiment", name, mapped(experiments_, &ExperimentInfo::name),
                                                "'emergence-cli list' names all"));
        return name;
    }
    // A file with cells makes a figure of its own.
    void find_figure(const toml::table& root) {
        if (experiment_ != nullptr) figure_ = find_named(experiment_->figures, file_.figure);
        if (figure_ != nullptr || has_cells_) return;
        fault(line_of(*root.get("figure")),
              "figure: " + (experiment_ == nullptr
                                ? "needs an experiment, e.g. experiment = \"td\""
                                : unknown_name("figure", file_.figure, mapped(experiment_->figures, &FigureInfo::name),
                                               "'emergence-cli list' names all")));
    }

    // What a claim begins with: the claim above that it is like, or the file's own keys; nullopt if there is no such
    // claim.
    std::optional<Claim> begun(const toml::table& table, const std::vector<Claim>& above) {
        std::string name;
        if (!text(table, "like", name)) return file_;
        if (const Claim* like = find_named(above, name)) return *like;
        fault(line_of(*table.get("like")), "like: " + unknown_name("claim above", name, mapped(above, &Claim::name)));
        return std::nullopt;
    }
    Claim claim(const std::string& name, uint32_t line, const toml::table& table, const std::vector<Claim>& above) {
        check_keys(table, kClaimKeys, "a claim");
        const std::optional<Claim> begin = begun(table, above);
        if (!begin) return {.name = name};
        Claim claim = *begin;
        claim.name = name;
        for (const auto& [key, into] :
             {std::pair{"statement", &claim.statement}, {"source", &claim.source}, {"quantity", &claim.quantity}})
            if (text(table, key, *into); into->empty()) fault(line, fmt::format("{}: {} is missing", name, key));
        text(table, "reason", claim.reason);
        flag(table, "algebra", claim.algebra);
        if (table.contains("experiment")) claim.experiment = experiment(table);
        number(table, "at_least", claim.agrees.low);
        number(table, "at_most", claim.agrees.high);
        if (claim.agrees == Range() && !table.contains("at_least") && !table.contains("at_most"))
            fault(line, name + ": the range is missing. Add at_least, at_most, or both");
        // Also for NaN.
        else if (!(claim.agrees.low <= claim.agrees.high))
            fault(table.contains("at_least")  ? line_of(*table.get("at_least"))
                  : table.contains("at_most") ? line_of(*table.get("at_most"))
                                              : line,
                  fmt::format("{}: at_least {} is above at_most {}. Swap them", name, claim.agrees.low,
                              claim.agrees.high));
        read_known(name, line, table, claim);
        read_measure(name, line, table, claim);
        return claim;
    }
    void read_known(const std::string& name, uint32_t line, const toml::table& table, Claim& claim) {
        text(table, "known_difference", claim.known_difference);
        const toml::node* known = table.get("known");
        if (table.contains("known_difference") != (known != nullptr))
            fault(line, fmt::format("{}: known_difference and known, its range, belong together", name));
        if (known == nullptr) return;
        std::tie(claim.known.low, claim.known.high) = ends(table, "known", {0.0, 0.0});
    }
    void read_measure(const std::string& name, uint32_t line, const toml::table& table, Claim& claim) {
        const bool has_function = table.contains("function"), has_value = table.contains("value");
        if (!has_function && !has_value && table.contains("like")) return;
        claim.value = claim.function = claim.detail = claim.each_run = "";
        claim.interval = true;
        claim.measure = {};
        text(table, "function", claim.function);
        text(table, "value", claim.value);
        if (has_function == has_value) fault(line, name + ": needs either value, an expression over runs, or function");
        text(table, "detail", claim.detail);
        text(table, "each_run", claim.each_run);
        flag(table, "interval", claim.interval);
        for (const char* key : {"detail", "each_run", "interval"})
            if (table.contains(key) && !has_value)
                fault(line_of(*table.get(key)), fmt::format("{}: belongs to a value", key));
        check_expression(table, "value", check_value);
        check_expression(table, "detail", check_detail);
        check_expression(table, "each_run", check_detail);
        if (has_function && !has_value) find_function(*table.get("function"), claim);
    }
    void check_expression(const toml::table& table, const char* key, void (*check)(const std::string&)) {
        const toml::node* node = table.get(key);
        try {
            if (node != nullptr && node->is_string()) check(*node->value<std::string>());
        } catch (const InputError& error) {
            fault(line_of(*node), fmt::format("{}: {}", key, error.what()));
        }
    }
    // Looks the function up in the figure's drawing, or else in the experiment.
    void find_function(const toml::node& node, Claim& claim) {
        if (file_.experiment.empty()) fault(line_of(node), "function: needs an experiment, e.g. experiment = \"td\"");
        if (figure_ == nullptr && has_cells_)
            fault(line_of(node), "function: only shipped figures have functions. Write a value");
        if (experiment_ == nullptr || (figure_ == nullptr && !claim.figure.empty())) return;  // told already
        const bool program_measures =
            any_of(experiments_, [](const ExperimentInfo& info) { return !info.measures.empty(); });
        if (figure_ == nullptr && !program_measures) return;
        const std::vector<std::string> known =
            figure_ != nullptr ? figure_->measures : mapped(experiment_->measures, &NamedMeasure::name);
        if (known.empty())
            fault(line_of(node), "function: this experiment has none. Write a value");
        else if (!contains(known, claim.function))
            fault(line_of(node), "function: " + unknown_name("function", claim.function, known,
                                                             "'emergence-cli verify --list --json' lists those in "
                                                             "use"));
        else if (figure_ == nullptr)
            claim.measure = find_named(experiment_->measures, claim.function)->measure;
    }

    const std::vector<ExperimentInfo>& experiments_;
    const ExperimentInfo* experiment_ = nullptr;
    const FigureInfo* figure_ = nullptr;
    std::string stem_;
    bool has_cells_ = false;
    Claim file_;
};

// Sorts by experiment, then by figure. Claims without a figure come first.
void sort_claims(std::vector<Claim>& claims, const std::vector<ExperimentInfo>& experiments) {
    std::map<std::string, size_t> places = {{"", 0}};
    for (const ExperimentInfo& info : experiments)
        for (const FigureInfo& figure : info.figures) places.emplace(figure.name, places.size());
    for (const ExperimentInfo& info : experiments) places.emplace("experiment " + info.name, places.size());
    const auto place = [&](const Claim& claim) {
        return std::pair(places["experiment " + claim.experiment], places[claim.figure]);
    };
    std::stable_sort(claims.begin(), claims.end(), [&](const Claim& a, const Claim& b) { return place(a) < place(b); });
}

}  // namespace

const std::vector<std::string>& figure_file_keys() {
    static const std::vector<std::string> keys = {"experiment", "figure",  "claims", "title",  "preset",
                                                  "after",      "caption", "curves", "by_run", "start",
                                                  "settings",   "page",    "runs",   "cells"};
    return keys;
}

std::vector<Claim> parse_claims(std::string_view text, const std::string& source,
                                const std::vector<ExperimentInfo>& experiments, std::vector<FileFault>& faults) {
    std::vector<Claim> claims;
    if (const auto table = parse_toml(text, source, faults))
        claims = ClaimReader(experiments, fs::path(source).stem().string(), faults).read(*table);
    std::stable_sort(faults.begin(), faults.end(),
                     [](const FileFault& a, const FileFault& b) { return a.line < b.line; });
    return claims;
}

ReadClaims read_claims(const std::vector<fs::path>& files, const std::vector<ExperimentInfo>& experiments) {
    ReadClaims read;
    std::map<std::string, std::string> places;
    for (const fs::path& file : files) {
        std::vector<FileFault> faults;
        std::vector<Claim> claims;
        try {
            claims = parse_claims(read_text(file), file.string(), experiments, faults);
        } catch (const std::runtime_error& error) {
            read.faults.emplace_back(error.what());
        }
        for (const FileFault& fault : faults) read.faults.push_back(fault_text(file.string(), fault));
        for (Claim& claim : claims) {
            const auto [first, is_new] = places.emplace(claim.name, file.string());
            if (!is_new)
                read.faults.push_back(fmt::format("{}: claim '{}' is also in {}. Rename one of them", file.string(),
                                                  claim.name, first->second));
            read.claims.push_back(std::move(claim));
        }
    }
    return read;
}

ReadClaims read_all_claims(const fs::path& folder, const std::vector<ExperimentInfo>& experiments) {
    ReadClaims read = read_claims(toml_files_in(folder), experiments);
    sort_claims(read.claims, experiments);
    return read;
}

std::vector<Claim> claims_in(const fs::path& folder, const std::vector<ExperimentInfo>& experiments) {
    ReadClaims read = read_all_claims(folder, experiments);
    if (!read.faults.empty())
        throw InputError(read.faults.front() + ". 'emergence-cli verify --check' lists all mistakes");
    return std::move(read.claims);
}

std::vector<MeasuredClaim> measured_claims(const std::vector<Claim>& claims, const std::string& figure,
                                           const MadeFigure& made) {
    std::vector<MeasuredClaim> measured;
    if (made.stopped) return measured;
    Snapshot drawn;
    for (const FigureCell& cell : made.figure.cells)
        if (const auto* plot = std::get_if<PlotSpec>(&cell.content)) drawn.plots.push_back(*plot);
    const MetricHistory none;
    std::vector<RunView> runs(made.runs.begin(), made.runs.end());
    runs.emplace_back(drawn, none, "figure").drawn = true;
    for (const Claim& claim : claims) {
        if (claim.figure != figure) continue;
        if (!claim.value.empty())
            measured.push_back({claim.name, measured_value(claim, runs)});
        else if (const MeasuredClaim* found = find_named(made.measured, claim.function))
            measured.push_back({claim.name, found->measurement});
    }
    return measured;
}

}  // namespace emergence
