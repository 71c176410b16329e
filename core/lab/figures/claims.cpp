#include "core/lab/figures/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml_reader.h"

namespace emergence {

std::string range_text(const Range& range) {
    if (std::isinf(range.low)) return fmt::format("at most {:.4g}", range.high);
    if (std::isinf(range.high)) return fmt::format("at least {:.4g}", range.low);
    return fmt::format("from {:.4g} to {:.4g}", range.low, range.high);
}

bool is_of_a_paper(const Claim& claim) { return !claim.source.starts_with("ours: "); }

bool is_measured(const Claim& claim) { return !claim.algebra && claim.source.find("(repeats ") == std::string::npos; }

std::string source_text(const Claim& claim) {
    return claim.source + (claim.algebra ? "; algebra, checked numerically" : "");
}

Verdict verdict_of(const Claim& claim, const Measurement& measurement) {
    const double value = measurement.value;
    if (std::isnan(value)) return Verdict::fails;
    const Range interval = measurement.interval.value_or(Range{value, value});
    const Range shared = {std::max(interval.low, claim.agrees.low), std::min(interval.high, claim.agrees.high)};
    if (shared == interval || (shared.low == value && shared.high == value)) return Verdict::agrees;
    if (shared.low <= shared.high) return Verdict::undecided;
    return !claim.known_difference.empty() && claim.known.contains(value) ? Verdict::known_difference : Verdict::fails;
}

std::string verdict_text(Verdict verdict) {
    constexpr const char* kTexts[] = {"agrees", "undecided", "differs, as known", "FAILS"};
    return kTexts[static_cast<size_t>(verdict)];
}

Verdicts Verdicts::operator+(const Verdicts& more) const {
    Verdicts sum = *this;
    for (const Verdict verdict : kVerdicts) sum[verdict] += more[verdict];
    return sum;
}

void ClaimCounts::add(const Claim& claim, Verdict verdict) {
    ++(!is_measured(claim) ? apart : is_of_a_paper(claim) ? papers : ours)[verdict];
}

ClaimCounts& ClaimCounts::operator+=(const ClaimCounts& more) {
    return *this = {papers + more.papers, ours + more.ours, apart + more.apart};
}

std::string counts_text(const ClaimCounts& counts) {
    static constexpr const char* kOne[] = {"agrees", "undecided", "differs as known", "fails"};
    static constexpr const char* kMore[] = {"agree", "undecided", "differ as known", "fail"};
    const auto verdicts_of = [](const Verdicts& verdicts) {
        return ": " + listed(kVerdicts, [&](Verdict verdict) {
                   const int count = verdicts[verdict];
                   return fmt::format("{} {}", count, (count == 1 ? kOne : kMore)[static_cast<size_t>(verdict)]);
               });
    };
    const auto line = [&](const char* which, const Verdicts& verdicts) {
        return fmt::format("\n    {} {}{}", verdicts.all(), which, verdicts_of(verdicts));
    };
    const Verdicts measured = counts.measured();
    std::string text = counted(static_cast<size_t>(measured.all()), "claim") + verdicts_of(measured);
    if (counts.papers.all() > 0 && counts.ours.all() > 0)
        text += line("of papers", counts.papers) + line("of ours", counts.ours);
    return counts.apart.all() == 0 ? text : text + line("more, algebra or repeating others", counts.apart);
}

std::string measured_text(const Measurement& measurement) {
    const auto& interval = measurement.interval;
    const bool bounded = interval && std::isfinite(interval->low) && std::isfinite(interval->high);
    std::string text = bounded ? fmt::format("{:.3g} to {:.3g}", interval->low, interval->high) : "";
    if (measurement.n > 0) text += fmt::format("{}n = {}", text.empty() ? "" : ", ", measurement.n);
    return fmt::format("{:.3g}{}", measurement.value, text.empty() ? "" : " (" + text + ")");
}

std::optional<double> smallest_difference(const Measurement& measurement) {
    constexpr double kOfHalfWidth = (1.96 + 0.84) / 1.96;
    if (!measurement.interval) return std::nullopt;
    const double width = measurement.interval->high - measurement.interval->low;
    if (!std::isfinite(width) || width == 0.0) return std::nullopt;
    return kOfHalfWidth * width / 2;
}

std::string power_text(const Claim& claim, const Measurement& measurement) {
    const auto smallest = smallest_difference(measurement);
    if (!smallest || verdict_of(claim, measurement) == Verdict::agrees) return "";
    return fmt::format("smallest difference seen: {:.2g}", *smallest);
}

namespace {

constexpr std::string_view kWithError = "\u00b1", kRunLabel = "run";

// Behind the names of runs.
Quantity& behind_runs(Quantity& quantity) {
    return quantity.kind == QuantityKind::run ? behind_runs(quantity.operands.front()) : quantity;
}

// A number of a run, not one of each network.
Quantity parse_run_number(const std::string& text) {
    Quantity quantity = parse_quantity(text);
    if (!is_of_seeds(quantity)) return quantity;
    throw InputError("'{}': is one number per network. Reduce it, for example with mean( )", text);
}

// What stands between two braces.
struct Blank {
    Quantity quantity;
    std::string format;  // kWithError, or as fmt's: ".3g"

    explicit Blank(const std::string& text) : format(".3g") {
        std::string expression = text;
        const size_t colon = text.rfind(':');
        const std::string last = colon == std::string::npos ? "" : text.substr(colon + 1);
        const bool is_format = last.size() == 3 && last[0] == '.' && last[1] >= '0' && last[1] <= '9' &&
                               std::string_view("efg").find(last[2]) != std::string_view::npos;
        if (is_format || last == kWithError) {
            format = last;
            expression = text.substr(0, colon);
        }
        quantity = parse_run_number(expression);
        const Quantity& reduction = behind_runs(quantity);
        if (format == kWithError &&
            (reduction.kind != QuantityKind::reduction || reduction.reduction != Reduction::mean))
            throw InputError("'{}': only a mean( ) has \u00b1", expression);
    }
    std::string filled(const std::vector<RunView>& runs) const {
        check_quantity(quantity, runs);
        const double value = number_of(quantity, runs);
        if (std::isnan(value)) return "\u2013";
        if (format != kWithError) return unsigned_zero(fmt::format(fmt::runtime("{:" + format + "}"), value));
        Quantity error_of = quantity;
        behind_runs(error_of).reduction = Reduction::standard_error;
        const double error = number_of(error_of, runs);
        return fmt::format("{:.3g}", value) + (std::isnan(error) ? "" : fmt::format(" \u00b1 {:.2g}", error));
    }
};

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

void check_value(const std::string& text) { (void)parse_run_number(text); }

std::string filled_detail(const std::string& text, const std::vector<RunView>& runs) {
    return with_braces_filled(text, [&](std::string_view blank) {
        return blank == kRunLabel ? runs.front().label : Blank(std::string(blank)).filled(runs);
    });
}

void check_detail(const std::string& text) {
    with_braces_filled(text, [](std::string_view blank) {
        if (blank != kRunLabel) Blank{std::string(blank)};
        return std::string();
    });
}

Measurement measured_value(const Claim& claim, const std::vector<RunView>& runs) {
    try {
        Measurement found = measured(runs, parse_quantity(claim.value));
        if (!claim.interval) found = {found.value, found.detail};
        std::string each;
        if (!claim.each_run.empty())
            each = listed(filtered(runs, [](const RunView& run) { return !run.drawn; }),
                          [&](const RunView& run) { return filled_detail(claim.each_run, {run}); });
        for (const std::string& more : {filled_detail(claim.detail, runs), each})
            if (!more.empty()) found.detail += (found.detail.empty() ? "" : "; ") + more;
        return found;
    } catch (const InputError& error) {
        return {kMissing, error.what()};
    }
}

// The record of a finished figure, and its results as a file.

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
    return settings_to_toml(experiment, settings_of(runs),
                            {.figure = figure, .step = {}, .runs = panel_settings(runs)});
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
    if (all_of(seeds, [&](const auto& one) { return one == seeds[0]; }))
        return fmt::format("{} {}{}.", text, seeds[0],
                           seeds.size() == 1 ? "" : fmt::format(" in each of {} runs", seeds.size()));
    size_t all = 0;
    for (const FinishedRun& run : made.runs) all += run.snapshot.seeds.size();
    return fmt::format("{} {} seeds in {} runs.", text, all, seeds.size());
}

ClaimResults claim_results(const std::string& figure, const std::vector<GridConfig>& runs, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured) {
    const auto tenths = [](double seconds) { return std::round(seconds * 10.0) / 10.0; };
    ClaimResults results{figure, version(), named_settings(settings_of(runs)), tenths(watch.seconds())};
    results.cpu_seconds = tenths(watch.cpu_seconds());
    results.threads = threads;
    results.commit = commit();
    results.date = local_time("%Y-%m-%d");
    results.panels = panel_settings(runs);
    for (const MeasuredClaim& claim : measured) results.claims[claim.name] = claim.measurement;
    return results;
}

const Measurement* measured_of(const Claim& claim, const ClaimResults& results) {
    if (results.figure != (claim.figure.empty() ? kVerified : claim.figure)) return nullptr;
    const auto found = results.claims.find(claim.name);
    return found == results.claims.end() ? nullptr : &found->second;
}

const Measurement* measured_of(const Claim& claim, const std::vector<ClaimResults>& all) {
    for (const ClaimResults& results : all)
        if (const Measurement* found = measured_of(claim, results)) return found;
    return nullptr;
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
                         named_value<int64_t>(table, "threads", source)};
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

ClaimResults read_claim_results(const std::filesystem::path& path) {
    return parse_claim_results(read_text(path), path.string());
}

std::vector<ClaimResults> read_all_claim_results(const std::filesystem::path& folder) {
    return mapped(toml_files_in(folder), read_claim_results);
}

}  // namespace emergence
