#include "core/io/claim_results.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <sstream>
#include <system_error>

#include "core/base/error.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

template <class T>
T value_of(const toml::table& table, std::string_view key, const fs::path& path, const char* needed) {
    if (const auto value = table[key].value<T>()) return *value;
    throw InputError(fmt::format("{}: {}: {} is needed", path.string(), key, needed));
}

std::string text_of(const toml::table& table, std::string_view key, const fs::path& path) {
    return value_of<std::string>(table, key, path, "a text in quotes");
}

double number_of(const toml::table& table, std::string_view key, const fs::path& path) {
    return value_of<double>(table, key, path, "a number");
}

}  // namespace

std::string claim_results_to_toml(const ClaimResults& results) {
    toml::table claims;
    for (const auto& [name, entry] : results.claims)
        claims.insert(name, toml::table{{"measured", entry.measured}, {"detail", entry.detail}});
    const toml::table all{{"figure", results.figure},
                          {"version", results.version},
                          {"config", results.config},
                          {"seconds", results.seconds},
                          {"cpu_seconds", results.cpu_seconds},
                          {"threads", results.threads},
                          {"claims", claims}};
    std::ostringstream out;
    // Literal quotes would leave the file's look to the text in it.
    out << toml::toml_formatter{all, toml::toml_formatter::default_flags &
                                         ~toml::format_flags::allow_literal_strings &
                                         ~toml::format_flags::allow_multi_line_strings}
        << '\n';
    return out.str();
}

ClaimResults read_claim_results(const fs::path& path) {
    toml::table table;
    try {
        table = toml::parse_file(path.string());
    } catch (const toml::parse_error& error) {
        throw InputError(fmt::format("{}:{}:{}: {}", path.string(), error.source().begin.line,
                                     error.source().begin.column, error.description()));
    }
    ClaimResults results{text_of(table, "figure", path),
                         text_of(table, "version", path),
                         text_of(table, "config", path),
                         number_of(table, "seconds", path),
                         number_of(table, "cpu_seconds", path),
                         value_of<int64_t>(table, "threads", path, "a whole number"),
                         {}};
    const toml::table* claims = table["claims"].as_table();
    if (claims == nullptr) throw InputError(fmt::format("{}: claims: a table is needed", path.string()));
    for (const auto& [name, node] : *claims) {
        const toml::table* claim = node.as_table();
        if (claim == nullptr)
            throw InputError(fmt::format("{}: claims.{}: a table is needed", path.string(), name.str()));
        results.claims[std::string(name.str())] = {number_of(*claim, "measured", path),
                                                   text_of(*claim, "detail", path)};
    }
    return results;
}

std::vector<ClaimResults> read_all_claim_results(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<ClaimResults> all;
    for (const fs::path& file : files) all.push_back(read_claim_results(file));
    return all;
}

}  // namespace emergence
