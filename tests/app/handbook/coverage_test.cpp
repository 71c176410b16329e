// The page of coverage: every number of the papers stands in it once, what its rows name exists, and every claim of a
// paper is in a row. That the page's lines are the sources' is checked where all tables are (generated_test.cpp).
#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "tests/app/handbook/coverage_table.h"

namespace emergence {
namespace {

using testing::PaperStatements;

const PaperStatements* of_paper(const std::vector<PaperStatements>& all, const std::string& name) {
    for (const PaperStatements& paper : all)
        if (paper.paper == name) return &paper;
    return nullptr;
}

// "Eq. (8)" as "Eq.", 8; "Theorem 3.1" as "Theorem 3.", 1; "Section 5" as "", 0: sections are not counted.
std::pair<std::string, int> place_in_series(const std::string& number) {
    static const std::regex form(
        "(?!Section|Appendix|Abstract)([A-Z][a-z/A-Z]+\\.? (?:[A-Z]\\.)?(?:[0-9]+\\.)*)\\(?([0-9]+)\\)?");
    std::smatch parts;
    if (!std::regex_match(number, parts, form)) return {"", 0};
    return {parts[1], std::stoi(parts[2])};
}

// What is wrong with a paper's numbers: gaps, numbers that two rows have, series that `last` does not name.
std::vector<std::string> faults_of_numbers(const PaperStatements& paper) {
    std::vector<std::string> faults;
    std::map<std::string, std::set<int>> seen;
    for (const auto& row : paper.rows)
        for (const std::string& number : row.numbers)
            if (const auto [series, place] = place_in_series(number);
                !series.empty() && !seen[series].insert(place).second)
                faults.push_back(number + " stands twice");
    for (const std::string& last : paper.last) {
        const auto [names, count] = place_in_series(last);
        std::set<int> numbers;
        const std::string prefix = names.substr(names.find(' '));
        for (const std::string& kind : testing::split_trimmed(names.substr(0, names.find(' ')), '/')) {
            numbers.merge(seen[kind + prefix]);
            seen.erase(kind + prefix);
        }
        for (int i = 1; i <= count; ++i)
            if (numbers.erase(i) == 0) faults.push_back(names + std::to_string(i) + " is missing");
        if (!numbers.empty()) faults.push_back(names + std::to_string(*numbers.begin()) + " is beyond " + last);
    }
    for (const auto& [series, numbers] : seen) faults.push_back("'last' does not name " + series);
    return faults;
}

}  // namespace

TEST_CASE("every figure and claim of the page of coverage exists, and no row is empty") {
    std::set<std::string> figures, claims;
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) figures.insert(figure.name);
    for (const Claim& claim : testing::shipped_claims()) claims.insert(claim.name);
    for (const PaperStatements& paper : testing::statements())
        for (const auto& row : paper.rows) {
            INFO(paper.paper, ", ", row.name);
            for (const std::string& figure : row.figures) CHECK_MESSAGE(figures.contains(figure), figure);
            for (const std::string& claim : row.claims) CHECK_MESSAGE(claims.contains(claim), claim);
            const bool measured = !testing::claims_of(row, paper.paper, testing::shipped_claims()).empty();
            const bool computed = !row.places.empty() || !row.figures.empty();
            CHECK_MESSAGE(computed == row.nowhere.empty(),
                          "needs a place or a figure, or 'nowhere: why', and not both");
            CHECK_MESSAGE((computed || !measured), "a claim without a place: say where it is computed");
        }
}

TEST_CASE("every paper has a table of coverage, in which every number of the paper stands once") {
    const auto all = testing::statements();
    CHECK(all.size() == papers().size());
    for (const Paper& paper : papers()) CHECK_MESSAGE(of_paper(all, paper.name) != nullptr, paper.name);
    for (const PaperStatements& paper : all)
        for (const std::string& fault : faults_of_numbers(paper)) FAIL_CHECK(paper.paper << ": " << fault);
}

TEST_CASE("every claim of a paper is in a row of its page of coverage") {
    const auto all = testing::statements();
    for (const Claim& claim : testing::shipped_claims()) {
        const PaperStatements* paper = of_paper(all, testing::paper_of(claim.experiment));
        if (!is_of_a_paper(claim) || paper == nullptr) continue;
        const bool found = std::any_of(paper->rows.begin(), paper->rows.end(), [&](const auto& row) {
            return !testing::claims_of(row, paper->paper, {claim}).empty();
        });
        CHECK_MESSAGE(found, claim.name << " (" << claim.source << ") is in no row of " << paper->paper
                                        << " in coverage.txt: name its number in the source, or add '| claim "
                                        << claim.name << "' to a row.");
    }
}

}  // namespace emergence
