#include "core/lab/figures/claim_results.h"

#include <fmt/format.h>

#include <toml++/toml.h>

#include "core/base/error.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

template <class T>
T named_value(const toml::table& table, std::string_view key, const std::string& source, const char* needed) {
    if (const auto value = table[key].value<T>()) return *value;
    throw InputError(fmt::format("{}: {}: {} is needed", source, key, needed));
}

std::string named_text(const toml::table& table, std::string_view key, const std::string& source) {
    return named_value<std::string>(table, key, source, "a text in quotes");
}

double named_number(const toml::table& table, std::string_view key, const std::string& source) {
    return named_value<double>(table, key, source, "a number");
}

// A double needs a point: 3 would read back as a whole number.
std::string decimal_text(double value) {
    const std::string text = fmt::format("{}", value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

Measurement measurement_in(const toml::table& claim, const std::string& source) {
    Measurement measured{named_number(claim, "measured", source), named_text(claim, "detail", source)};
    if (claim.contains("n")) measured.n = named_value<int64_t>(claim, "n", source, "a whole number");
    if (!claim.contains("interval")) return measured;
    const toml::array* ends = claim["interval"].as_array();
    const auto end = [&](size_t i) -> std::optional<double> {
        return ends != nullptr && ends->size() == 2 ? (*ends)[i].value<double>() : std::nullopt;
    };
    if (!end(0) || !end(1) || !(*end(0) <= *end(1)))
        throw InputError(fmt::format("{}: interval: two numbers are needed, the lower one first", source));
    measured.interval = Range{*end(0), *end(1)};
    return measured;
}

std::vector<std::string> panels_in(const toml::table& table, const std::string& source) {
    std::vector<std::string> panels;
    const toml::array* texts = table["panels"].as_array();
    if (texts == nullptr) throw InputError(fmt::format("{}: panels: a list is needed", source));
    for (const toml::node& one : *texts) {
        const auto text = one.value<std::string>();
        if (!text) throw InputError(fmt::format("{}: panels: texts in quotes are needed", source));
        panels.push_back(*text);
    }
    return panels;
}

}  // namespace

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
    ClaimResults results{named_text(table, "figure", source),
                         named_text(table, "version", source),
                         named_text(table, "config", source),
                         named_number(table, "seconds", source),
                         named_number(table, "cpu_seconds", source),
                         named_value<int64_t>(table, "threads", source, "a whole number"),
                         {}};
    if (table.contains("commit")) results.commit = named_text(table, "commit", source);
    if (table.contains("date")) results.date = named_text(table, "date", source);
    if (table.contains("panels")) results.panels = panels_in(table, source);
    const toml::table* claims = table["claims"].as_table();
    if (claims == nullptr) throw InputError(fmt::format("{}: claims: a table is needed", source));
    for (const auto& [name, node] : *claims) {
        const toml::table* claim = node.as_table();
        if (claim == nullptr) throw InputError(fmt::format("{}: claims.{}: a table is needed", source, name.str()));
        results.claims[std::string(name.str())] = measurement_in(*claim, source);
    }
    return results;
}

ClaimResults read_claim_results(const fs::path& path) { return parse_claim_results(read_text(path), path.string()); }

std::vector<ClaimResults> read_all_claim_results(const fs::path& folder) {
    std::vector<ClaimResults> all;
    for (const fs::path& file : entries_in(folder))
        if (file.extension() == ".toml") all.push_back(read_claim_results(file));
    return all;
}

}  // namespace emergence
