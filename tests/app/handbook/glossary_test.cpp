#include "app/handbook/glossary.h"
#include "tests/support/scratch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

namespace emergence::handbook {
namespace {

std::string small(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::vector<std::string> found_in(const std::string& text) {
    std::vector<std::string> words;
    for (const TermPlace& place : terms_in(text)) words.push_back(text.substr(place.begin, place.end - place.begin));
    return words;
}

}  // namespace

TEST_CASE("terms are sorted, and every spelling means one term") {
    const auto before = [](const Term& a, const Term& b) { return small(a.word) < small(b.word); };
    CHECK(std::is_sorted(glossary().begin(), glossary().end(), before));
    std::map<std::string, int> spellings;
    for (const Term& term : glossary()) {
        ++spellings[term.word];
        for (const std::string& other : term.also) ++spellings[other];
    }
    for (const auto& [word, count] : spellings) {
        CAPTURE(word);
        CHECK(count == 1);
        CHECK(term_of(word) != nullptr);
    }
}

TEST_CASE("a term is found as a whole word, in capitals only where it has them") {
    CHECK(found_in("Seeds share a prompt; reseeded ones do not. MSVE of the MRPs, not msve.") ==
          std::vector<std::string>{"Seeds", "prompt", "MSVE", "MRPs"});
    CHECK(found_in("").empty());
    CHECK(found_in("prompt_length, seed7") == std::vector<std::string>{});
    REQUIRE(term_of("Seeds") != nullptr);
    CHECK(term_of("Seeds") == term_of("seed"));
    CHECK(term_of("SEED") == nullptr);
}

TEST_CASE("of several terms at one place the longest is meant") {
    CHECK(found_in("the implicit weight similarity of a query") ==
          std::vector<std::string>{"implicit weight similarity", "query"});
}

TEST_CASE("abbreviations have words in their place, whole words only") {
    CHECK(plainly("SS (= IWS)") == "sensitivity (= direction)");
    CHECK(plainly("IWS, SS (cosines), VD") == "direction, sensitivity (cosines), difference");
    CHECK(plainly("implicit weight similarity of IWSX") == "implicit weight similarity of IWSX");
}

}  // namespace emergence::handbook
