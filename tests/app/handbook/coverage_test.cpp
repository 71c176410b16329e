// The page of coverage: every number of the papers stands in it once, what its rows name exists, every claim of a paper
// is in a row, and so is every number that a comment of core/ cites. That the page's lines are the sources' is checked
// where all tables are (generated_test.cpp).
#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "tests/app/handbook/cited_equations.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using testing::PaperStatements;

std::vector<fs::path> sources_of_core() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(testing::source_dir() / "core"))
        if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

const PaperStatements* of_paper(const std::vector<PaperStatements>& all, const std::string& name) {
    for (const PaperStatements& paper : all)
        if (paper.paper == name) return &paper;
    return nullptr;
}

std::vector<PaperStatements> two_papers() {
    return testing::parse_statements(
        "# a comment\n[one] Ng 2001\nEq. (1), Theorem 2 | a step | a.h step\n\n[two] Li 2002 | Li and Wu\n"
        "Lemma 3 | a bound | b.h B::bound | c.cpp c\nLemma 4 | another | nowhere: a step of a proof\n");
}

std::string cited(const std::string& source) {
    std::string all;
    for (const auto& one : testing::citations_in(source, "file", two_papers()))
        all += std::to_string(one.line) + " " + one.number + " " + one.paper + "; ";
    return all;
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

TEST_CASE("every place, figure and claim of the page of coverage exists, and no row is empty") {
    std::set<std::string> figures, claims;
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) figures.insert(figure.name);
    for (const Claim& claim : testing::shipped_claims()) claims.insert(claim.name);
    for (const PaperStatements& paper : testing::statements())
        for (const auto& row : paper.rows) {
            CAPTURE(paper.paper);
            CAPTURE(row.name);
            for (const auto& place : row.places)
                CHECK_MESSAGE(
                    testing::declaration_line(testing::slurp(testing::source_dir() / place.file), place.symbol) > 0,
                    place.symbol << " is not in " << place.file << ". Correct coverage.txt.");
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

TEST_CASE("gaps and doubles in the numbers of a paper are found") {
    const auto faults = [](const std::string& rows) {
        const auto papers = testing::parse_statements("[one] Ng\n" + rows);
        return faults_of_numbers(papers[0]);
    };
    const std::string rest = " | a | nowhere: a proof\n";
    CHECK(faults("last: Eq. (3), Theorem/Lemma 2, Lemma A.1\nEq. (1) to (3), Theorem 1, Lemma 2, Lemma A.1" + rest)
              .empty());
    CHECK(faults("last: Eq. (3)\nEq. (1)" + rest) == std::vector<std::string>{"Eq. 2 is missing", "Eq. 3 is missing"});
    CHECK(faults("last: Eq. (1)\nEq. (1)" + rest + "Eq. (1)" + rest).size() == 1);
    CHECK(faults("last: Eq. (1)\nEq. (1), Eq. (2), Figure 1" + rest).size() == 2);
    CHECK(faults("Section 5, Appendix D.1, Abstract" + rest).empty());
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

TEST_CASE("numbers are read off sources and off the names of rows") {
    CHECK(testing::numbers_in("Theorem 1, Eqs. (7) and (8), Wang et al. 2025") ==
          std::vector<std::string>{"Eq. (7)", "Eq. (8)", "Theorem 1"});
    CHECK(testing::numbers_in("Figures 2b and 5c, Appendix D.1.2, Section 5.3, Abstract") ==
          std::vector<std::string>{"Figure 2", "Figure 5", "Appendix D.1.2", "Section 5.3", "Abstract"});
    CHECK(testing::numbers_in("Eq. (19) to (21), Lemmas 6 to 8, Proposition 3.1 (i)") ==
          std::vector<std::string>{"Eq. (19)", "Eq. (20)", "Eq. (21)", "Lemma 6", "Lemma 7", "Lemma 8",
                                   "Proposition 3.1"});
}

TEST_CASE("every equation that a comment of core cites is in the table") {
    const auto all = testing::statements();
    std::set<std::string> seen;
    for (const fs::path& file : sources_of_core()) {
        const std::string text = testing::slurp(file), of_file = testing::paper_of_file(file, all);
        for (const auto& citation : testing::citations_in(text, of_file, all)) {
            const std::string where = file.lexically_relative(testing::source_dir()).string() + ":" +
                                      std::to_string(citation.line) + ": " + citation.number;
            const PaperStatements* paper = of_paper(all, citation.paper);
            CHECK_MESSAGE(paper != nullptr, where << ": of which paper? Name it in the comment.");
            if (paper == nullptr) continue;
            seen.insert(citation.paper + citation.number);
            CHECK_MESSAGE(paper->lists(citation.number),
                          where << " of " << citation.paper << " is not in coverage.txt. Add its row.");
        }
    }
    CHECK(seen.size() > 60);
}

TEST_CASE("citations are read off comments, with the paper that they name") {
    CHECK(cited("int a;  // Eq. (3) and (4), Ng 2001\n") == "1 Eq. (3) one; 1 Eq. (4) one; ");
    CHECK(cited("\n// Theorems 1 to 3 of Li\n/// 2002, eq. (6)\nint a;\n") ==
          "2 Theorem 1 two; 2 Theorem 2 two; 2 Theorem 3 two; 2 Eq. (6) two; ");
    CHECK(cited("// Lemma A.3.1 of\n// Ng 2001.\n") == "1 Lemma A.3.1 one; ");
    CHECK(cited("// Corollary 2, Ng 2001, and Theorem 3.1 of Li and Wu (see Eq. (5)).\n") ==
          "1 Corollary 2 one; 1 Theorem 3.1 two; 1 Eq. (5) two; ");
    CHECK(cited("// Theorem 3.2's own, 2 mu; Assumption 1 (1)\n") == "1 Theorem 3.2 file; 1 Assumption 1 file; ");
    CHECK(cited("auto s = \"// Eq. (1)\"; // Figure 3, Section 2, an equation\n").empty());
}

TEST_CASE("declarations are found, and not what merely names them") {
    const std::string text =
        "struct B;\n// step\n#include \"step\"\nint stepping(const char* = \"step\");\nint step(B b);\n"
        "template <class T>\nstruct B : A {\n    int bound();  // bound\n};\nstruct C { int bound; };\n";
    CHECK(testing::declaration_line(text, "step") == 5);
    CHECK(testing::declaration_line(text, "B::bound") == 8);
    CHECK(testing::declaration_line(text, "C::bound") == 10);
    CHECK(testing::declaration_line(text, "B::step") == 0);
    CHECK(testing::declaration_line("// B\ntemplate <class T>\nint B<T>::bound() {\n", "B::bound") == 3);
    CHECK(testing::declaration_line(text, "bounds") == 0);
    CHECK(testing::declaration_line(text, "D::bound") == 0);
}

TEST_CASE("wrong lines in the table of coverage are refused") {
    const auto papers = two_papers();
    REQUIRE(papers.size() == 2);
    CHECK(papers[0].lists("Theorem 2"));
    CHECK(papers[1].lists("Lemma 4"));
    CHECK(papers[1].rows[0].places[1].symbol == "c");
    CHECK(papers[1].rows[1].nowhere == "a step of a proof");
    CHECK_THROWS_AS(testing::parse_statements("Eq. (1) | a | b.h c\n"), InputError);
    CHECK_THROWS_AS(testing::parse_statements("[one] Ng\nEq. (1) | a\n"), InputError);
    CHECK_THROWS_AS(testing::parse_statements("[one] Ng\nEq. (1) | a | b.h\n"), InputError);
    CHECK_THROWS_AS(testing::places_cell({"Eq. (1)", {}, "a", {{"core/base/rng.h", "no_such"}}, {}, {}, ""}, "one"),
                    InputError);
}

TEST_CASE("a row has the claims whose sources name it, and those that it names, with their verdicts") {
    const auto paper = papers().front();
    const auto claim = [&](const char* name, const char* source, const char* figure) {
        return Claim{.name = name,
                     .source = source,
                     .agrees = at_most(1),
                     .experiment = paper.experiments.front(),
                     .figure = figure};
    };
    const std::vector<Claim> claims = {claim("a", "Figure 2b, Ng 2001", "f"), claim("b", "Eq. (3), Ng 2001", "f"),
                                       claim("c", "ours: finding", "f"), claim("d", "Figure 2, Ng 2001", "")};
    const auto row = testing::parse_statements("[one] Ng\nFigure 2 | a | claim c\n")[0].rows[0];
    ClaimResults results;
    results.figure = "f";
    results.claims = {{"a", {0.5}}, {"b", {0.5}}};
    CHECK(testing::claims_cell(testing::claims_of(row, paper.name, claims), {results}) ==
          "`a` agrees; `c` not run yet; `d` measured by `verify`");
}

}  // namespace emergence
