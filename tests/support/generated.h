#pragma once
// Writes tables into the chapters, so that these always match the program. Two lines mark the place in a file:
//
//     <!-- generated: figures bandits -->
//     <!-- end -->
//
// `sh tests/handbook.sh` fills it, and a test fails if a file says anything else.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/markdown.h"
#include "core/lab/figures/claims.h"
#include "core/lab/study.h"

namespace emergence::handbook {

/// Makes the table of one kind for an argument, which is a paper, an experiment, or "". `presets` is where the presets
/// lie, seen from the file that contains the table. Throws InputError for an argument that it does not know.
using TableMaker = std::function<std::string(const std::string& argument, const std::string& presets)>;
/// The tables by kind.
using Tables = std::map<std::string, TableMaker>;

/// The kinds of tables. A program can fill a table only if it knows it: `keys` needs the window, `coverage` and
/// `coverage PAPER` the sources (tests/app/handbook/coverage_table.h), `bench` emergence-verify.
const std::vector<std::string>& table_kinds();

/// Makes presets PAPER, experiments PAPER, figures PAPER, claims PAPER, settings EXPERIMENT, limits, quantities,
/// verdicts, power and results. papers() has the names of papers. `experiments` must outlive the tables.
Tables laboratory_tables(const std::vector<ExperimentInfo>& experiments, const std::filesystem::path& assets);

/// Makes a table of claims with their statement, source, what their figures' last runs (assets/results) measured, and
/// whether that agrees. The known differences follow below the table. `verify` measures a claim without results.
std::string claims_table(const std::vector<Claim>& claims, const std::filesystem::path& results);

/// Says for each paper how long the last runs of its figures took, and how many of their claims agree.
std::string verdicts_table(const std::vector<Claim>& claims, const std::filesystem::path& results);
/// Lists the claims that do not agree, with the smallest difference that their measurements would have seen.
std::string power_table(const std::vector<Claim>& claims, const std::filesystem::path& results);
/// Says for each figure with results which program made them, when, how fast, and with which settings.
std::string results_table(const std::filesystem::path& results);

/// Lists how much is read of a file at most (core/files/text.h).
std::string limits_table();

/// Lists the words of quantities (core/lab/quantity/quantity.h).
std::string quantities_table();

/// Lists what the window keeps in its file, with one value in each row.
std::string preferences_table(const FieldTable& fields);

/// A key of the window.
struct KeyRow {
    std::string topic;  // "Training"
    std::string keys;   // "Ctrl + Z"
    std::string what;
};
/// Lists keys in the order in which their `topics` first appear.
std::string keys_table(const std::vector<KeyRow>& rows);

/// Returns `text` with all its tables made anew, except those of kinds that `tables` does not have. Throws InputError,
/// naming `file` and the line, for an unknown kind or argument, and if an end is missing.
std::string with_tables(const std::string& file, std::string_view text, const Tables& tables,
                        const std::string& presets = "../presets/");

/// Returns `text` with the numbers of its claims taken from the results. A number names its claim: "7 of
/// 8<!--opening-td-->", "2.09<!--opening-corner-->", with ":low" or ":high" for the ends of the interval, or ":2" for
/// the second number of the detail. Digits, commas and "%" stay as written, and a number of a paper, `<!--paper-->`,
/// stays unchanged. Throws InputError, naming `file`, for an unknown claim.
std::string with_numbers(const std::string& file, const std::string& text, const std::vector<ClaimResults>& results);

/// Returns the text with empty lines in place of those between the marks.
std::string without_tables(std::string_view text);

/// Returns "1,234,567.5" for "1234567.5".
std::string with_commas(std::string digits);

/// Writes a whole table. `cells` gives the row for each of `all`.
template <class All, class Cells>
std::string table(const std::vector<std::string>& titles, const All& all, Cells&& cells) {
    std::string text = head(titles);
    for (const auto& one : all) text += row(cells(one));
    return text;
}

}  // namespace emergence::handbook
