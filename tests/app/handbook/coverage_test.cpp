// The page of equations and the sources agree: every symbol of equations.txt is in its file, and every number that a
// comment of core/ cites is in the table. That the page's lines are the sources' is checked where all tables are
// (generated_test.cpp).
#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "tests/app/handbook/cited_equations.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using testing::PaperEquations;

std::vector<fs::path> sources_of_core() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(testing::source_dir() / "core"))
        if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

const PaperEquations* of_paper(const std::vector<PaperEquations>& all, const std::string& name) {
    for (const PaperEquations& paper : all)
        if (paper.paper == name) return &paper;
    return nullptr;
}

std::vector<PaperEquations> two_papers() {
    return testing::parse_equations(
        "# a comment\n[one] Ng 2001\nEq. (1), Theorem 2 | a step | a.h step\n\n[two] Li 2002 | Li and Wu\n"
        "Lemma 3 | a bound | b.h B::bound | c.cpp c\ncited only: Lemma 4 | why\n");
}

std::string cited(const std::string& source) {
    std::string all;
    for (const auto& one : testing::citations_in(source, "file", two_papers()))
        all += std::to_string(one.line) + " " + one.number + " " + one.paper + "; ";
    return all;
}

// The numbers in a sentence of the page, which writes equations without "Eq.": "(6) to (8)", "Theorems 4 and 5".
std::vector<std::string> numbers_in(std::string sentence) {
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    static const std::regex equations("\\([0-9]+\\)(?: to \\([0-9]+\\))?"),
        others(
            "(Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Algorithm)s? +([0-9.]+(?:(?:, | and | to )[0-9.]+)*)");
    std::vector<std::string> numbers;
    const auto add = [&](const std::string& kind, const std::string& list) {
        for (const std::string& number : testing::numbers_cited(kind, list)) numbers.push_back(number);
    };
    const std::sregex_iterator end;
    for (std::sregex_iterator at(sentence.begin(), sentence.end(), equations); at != end; ++at) add("eq", at->str());
    for (std::sregex_iterator at(sentence.begin(), sentence.end(), others); at != end; ++at) add((*at)[1], (*at)[2]);
    return numbers;
}

}  // namespace

TEST_CASE("every symbol of the table of equations is in its file") {
    for (const PaperEquations& paper : testing::equations())
        for (const auto& row : paper.rows)
            for (const auto& place : row.places)
                CHECK_MESSAGE(
                    testing::declaration_line(testing::slurp(testing::source_dir() / place.file), place.symbol) > 0,
                    paper.paper << ", " << row.numbers.front() << ": " << place.symbol << " is not in " << place.file
                                << ". Correct equations.txt.");
}

TEST_CASE("every paper has a table of equations, and no number stands in it twice") {
    const auto all = testing::equations();
    CHECK(all.size() == papers().size());
    for (const Paper& paper : papers()) CHECK_MESSAGE(of_paper(all, paper.name) != nullptr, paper.name);
    for (const PaperEquations& paper : all) {
        std::set<std::string> seen;
        for (const auto& row : paper.rows)
            for (const std::string& number : row.numbers)
                CHECK_MESSAGE((seen.insert(number).second && !paper.cited_only.contains(number)),
                              paper.paper << " has " << number << " twice");
    }
}

TEST_CASE("what the page calls not implemented is in no table of it") {
    const std::string page = testing::slurp(testing::source_dir() / "assets/handbook/equations.md");
    size_t at = 0, checked = 0;
    for (const PaperEquations& paper : testing::equations()) {
        CAPTURE(paper.paper);
        at = page.find("Not implemented: ", page.find("equations " + paper.paper + " -->", at));
        REQUIRE(at != std::string::npos);
        const std::string text = page.substr(at, page.find("\n\n", at) - at);
        for (const std::string& number : numbers_in(text)) {
            ++checked;
            const bool listed = std::any_of(paper.rows.begin(), paper.rows.end(), [&](const auto& row) {
                return std::count(row.numbers.begin(), row.numbers.end(), number) > 0;
            });
            CHECK_MESSAGE(!listed, number << " is in the table: take it out of the sentence below.");
        }
    }
    CHECK(checked > 150);
    CHECK(numbers_in("(2); the rest,\n(4) and (6) to (8); Theorems 4 and 5; Lemma 7, of it") ==
          std::vector<std::string>{"Eq. (2)", "Eq. (4)", "Eq. (6)", "Eq. (7)", "Eq. (8)", "Theorem 4", "Theorem 5",
                                   "Lemma 7"});
}

TEST_CASE("every equation that a comment of core cites is in the table") {
    const auto all = testing::equations();
    std::set<std::string> seen;
    for (const fs::path& file : sources_of_core()) {
        const std::string text = testing::slurp(file), of_file = testing::paper_of_file(file, all);
        for (const auto& citation : testing::citations_in(text, of_file, all)) {
            const std::string where = file.lexically_relative(testing::source_dir()).string() + ":" +
                                      std::to_string(citation.line) + ": " + citation.number;
            const PaperEquations* paper = of_paper(all, citation.paper);
            CHECK_MESSAGE(paper != nullptr, where << ": of which paper? Name it in the comment.");
            if (paper == nullptr) continue;
            seen.insert(citation.paper + citation.number);
            CHECK_MESSAGE(paper->lists(citation.number),
                          where << " of " << citation.paper << " is not in equations.txt. Add its row.");
        }
    }
    CHECK(seen.size() > 60);
    for (const PaperEquations& paper : all)
        for (const std::string& number : paper.cited_only)
            CHECK_MESSAGE(seen.contains(paper.paper + number),
                          number << " of " << paper.paper << " is cited nowhere: take its line out.");
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

TEST_CASE("wrong lines in the table of equations are refused") {
    const auto papers = two_papers();
    REQUIRE(papers.size() == 2);
    CHECK(papers[0].lists("Theorem 2"));
    CHECK(papers[1].lists("Lemma 4"));
    CHECK(papers[1].rows[0].places[1].symbol == "c");
    CHECK_THROWS_AS(testing::parse_equations("Eq. (1) | a | b.h c\n"), InputError);
    CHECK_THROWS_AS(testing::parse_equations("[one] Ng\nEq. (1) | a\n"), InputError);
    CHECK_THROWS_AS(testing::parse_equations("[one] Ng\nEq. (1) | a | b.h\n"), InputError);
    CHECK_THROWS_AS(testing::equations_table({"one", {}, {{{"Eq. (1)"}, "a", {{"core/base/rng.h", "no_such"}}}}, {}}),
                    InputError);
}

}  // namespace emergence
