#pragma once
// Tables that the program writes into the chapters, so that they always match the program. Two lines mark the place in
// a file:
//
//     <!-- generated: figures bandits -->
//     <!-- end -->
//
// `sh tests/handbook.sh` fills it; a test fails if a file says anything else.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/command_words.h"
#include "core/lab/figures/claims.h"
#include "core/lab/study.h"

namespace emergence::handbook {

/// Where the presets lie, seen from the file that a table stands in.
struct LinkPlaces {
    std::string presets = "../presets/";
};

/// Makes the table of one kind for an argument: a paper, an experiment, or "". Throws InputError for an
/// argument that it does not know.
using TableMaker = std::function<std::string(const std::string& argument, const LinkPlaces& places)>;
/// By kind.
using Tables = std::map<std::string, TableMaker>;

/// Every kind there is. Which program knows a table decides who fills it: `keys` needs the window, `coverage` and
/// `coverage PAPER` the sources (tests/app/handbook/coverage_table.h), `bench` emergence-verify.
const std::vector<std::string>& table_kinds();

/// presets PAPER, experiments PAPER, figures PAPER, claims PAPER, settings EXPERIMENT, limits, quantities, verdicts,
/// power and results. A paper's name is that of papers(). `experiments` must outlive the tables.
Tables laboratory_tables(const std::vector<ExperimentInfo>& experiments, const std::filesystem::path& assets);

/// What `claims` say: statement, source, what its figures' last runs (assets/results) measured, where that
/// agrees; below the table the known differences. A claim without results is measured by `verify`.
std::string claims_table(const std::vector<Claim>& claims, const std::filesystem::path& results);

/// For each paper, what the last runs of its figures took, and how many of their claims agree.
std::string verdicts_table(const std::vector<Claim>& claims, const std::filesystem::path& results);
/// The claims that do not agree, with the smallest difference that their measurements would have seen.
std::string power_table(const std::vector<Claim>& claims, const std::filesystem::path& results);
/// For each figure with results: the program that made them, when, in which time, with which settings.
std::string results_table(const std::filesystem::path& results);

/// A program's commands and options.
std::string commands_table(const CommandWords& program);

/// The most that is read of a file (core/files/text.h).
std::string limits_table();

/// The words of quantities (core/lab/quantity/quantity.h).
std::string quantities_table();

/// What the window keeps in its file, a value a row.
std::string preferences_table(const FieldTable& fields);

/// A key of the window.
struct KeyRow {
    std::string topic;  // "Training"
    std::string keys;   // "Ctrl + Z"
    std::string what;
};
/// In the order of `topics` as they come first.
std::string keys_table(const std::vector<KeyRow>& rows);

/// `text` with all tables in it made anew, except those of kinds that `tables` does not have. Throws
/// InputError, naming `file` and the line, for an unknown kind or argument, and if an end is missing.
std::string with_tables(const std::string& file, std::string_view text, const Tables& tables,
                        const LinkPlaces& places = {});

/// `text` with the numbers that name their claim as the results have them: "7 of 8<!--opening-td-->",
/// "2.09<!--opening-corner-->", with ":low" or ":high" of the interval, or ":2", the second number of the detail. Digits,
/// commas and "%" are as written. A number of a paper's, `<!--paper-->`, stays. Throws InputError, naming `file`, for an
/// unknown claim.
std::string with_numbers(const std::string& file, const std::string& text, const std::vector<ClaimResults>& results);

/// The text without what stands between the marks, line for line: empty lines in its place.
std::string without_tables(std::string_view text);

// Writing Markdown.

/// "1,234,567.5" of "1234567.5".
std::string with_commas(std::string digits);

/// Text that shows as it is: marks are escaped, line ends become spaces.
std::string escaped(std::string_view text);
/// `text` as code inside of a cell.
std::string as_code(std::string_view text);

/// "| a | b |\n"; cells are Markdown already.
std::string row(const std::vector<std::string>& cells);
/// A table's first two lines.
std::string head(const std::vector<std::string>& cells);
/// A whole table: `cells` gives the row of each of `all`.
template <class All, class Cells>
std::string table(const std::vector<std::string>& titles, const All& all, Cells&& cells) {
    std::string text = head(titles);
    for (const auto& one : all) text += row(cells(one));
    return text;
}

}  // namespace emergence::handbook
