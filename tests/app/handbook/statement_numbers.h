#pragma once
// The numbers of a paper's statements in a text: "Eq. (8)", "Theorem 3.1", "Figure 2", "Section 5".

#include <cctype>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace emergence::testing {

/// "Eqs. (15) and (16)" as "Eq. (15)", "Eq. (16)"; "Theorems 1 to 3" as three.
inline std::vector<std::string> numbers_cited(const std::string& kind, const std::string& list) {
    static const std::map<std::string, std::string> kinds = {
        {"eq", "Eq. ("},       {"the", "Theorem "},    {"lem", "Lemma "},      {"pro", "Proposition "},
        {"cor", "Corollary "}, {"def", "Definition "}, {"ass", "Assumption "}, {"alg", "Algorithm "},
        {"fig", "Figure "},    {"tab", "Table "},      {"rem", "Remark "}};
    std::string start = kind.substr(0, 3);
    start[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(start[0])));
    if (start.starts_with("eq")) start = "eq";
    const std::string prefix = kinds.at(start), suffix = start == "eq" ? ")" : "";
    static const std::regex part("(to )?\\(?((?:[A-Z]\\.)?[0-9]+(?:\\.[0-9]+)*)");
    std::vector<std::string> numbers;
    int last = 0;
    for (std::sregex_iterator at(list.begin(), list.end(), part), end; at != end; ++at) {
        const std::string number = (*at)[2];
        const bool whole = number.find_first_not_of("0123456789") == std::string::npos;
        for (int between = last + 1; whole && (*at)[1].matched && between < std::stoi(number); ++between)
            numbers.push_back(prefix + std::to_string(between) + suffix);
        numbers.push_back(prefix + number + suffix);
        last = whole ? std::stoi(number) : 0;
    }
    return numbers;
}

/// All numbers in a text, in their order of kinds: equations, other numbered statements, then sections. Parts of
/// figures are the figure: "Figures 2b and 5" as "Figure 2", "Figure 5".
inline std::vector<std::string> numbers_in(std::string text) {
    static const std::string number = "(?:[A-Z]\\.)?[0-9]+(?:\\.[0-9]+)*", joint = "(?:, and |, | and | or | to )";
    static const std::regex part_of_figure("([0-9])[a-f]\\b");
    static const std::regex equation("\\b([Ee]qs?)\\. +(\\(" + number + "\\)(?:" + joint + "\\(" + number + "\\))*)");
    static const std::regex other(
        "\\b(Theorem|Lemma|Proposition|Corollary|Corollarie|Definition|Assumption|Algorithm|Figure|Table|Remark)s? +(" +
        number + "(?:" + joint + number + "\\b(?!['/^]))*)");
    static const std::regex section("\\b(?:Section +[0-9]+(?:\\.[0-9]+)*|Appendix +[A-Z](?:\\.[0-9]+)*|Abstract)\\b");
    text = std::regex_replace(text, part_of_figure, "$1");
    std::vector<std::string> numbers;
    const std::sregex_iterator end;
    for (const std::regex* kind : {&equation, &other})
        for (std::sregex_iterator at(text.begin(), text.end(), *kind); at != end; ++at)
            for (const std::string& one : numbers_cited((*at)[1], (*at)[2])) numbers.push_back(one);
    for (std::sregex_iterator at(text.begin(), text.end(), section); at != end; ++at) numbers.push_back(at->str());
    return numbers;
}

}  // namespace emergence::testing
