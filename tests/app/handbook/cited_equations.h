#pragma once
// Which equations of which papers the comments of a source file cite: "Eq. (8), Wang et al. 2025", "Theorems 1 and 3".

#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "tests/app/handbook/coverage_table.h"

namespace emergence::testing {

struct Citation {
    int line = 0;
    std::string number;  // "Eq. (8)", "Theorem 3"
    std::string paper;   // as in papers(); "" if nothing says which
};

/// Neighbouring lines that hold nothing but a comment are one text; a comment behind code is its own.
struct CommentText {
    int line = 0;  // its first, from 1
    std::string text;
};

inline std::vector<CommentText> comments_of(const std::string& source) {
    std::vector<CommentText> comments;
    bool goes_on = false;
    int number = 0;
    for (const SourceLine& line : source_lines(source)) {
        ++number;
        const bool alone = line.code.find_first_not_of(' ') == std::string::npos && !line.comment.empty();
        if (alone && goes_on)
            comments.back().text += " " + line.comment;
        else if (!line.comment.empty())
            comments.push_back({number, line.comment});
        goes_on = alone;
    }
    return comments;
}

/// The papers that a text names, with where.
inline std::vector<std::pair<size_t, std::string>> papers_named(const std::string& text,
                                                                const std::vector<PaperStatements>& papers) {
    std::vector<std::pair<size_t, std::string>> named;
    for (const PaperStatements& paper : papers)
        for (const std::string& name : paper.names)
            for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
                named.emplace_back(at, paper.paper);
    std::sort(named.begin(), named.end());
    return named;
}

/// The only paper that a text names.
inline std::string only_paper(const std::string& text, const std::vector<PaperStatements>& papers) {
    std::set<std::string> names;
    for (const auto& [at, paper] : papers_named(text, papers)) names.insert(paper);
    return names.size() == 1 ? *names.begin() : "";
}

/// What a source cites. The paper is the next one that the comment names, else the last one before, else
/// `of_file`.
inline std::vector<Citation> citations_in(const std::string& source, const std::string& of_file,
                                          const std::vector<PaperStatements>& papers) {
    static const std::string number = "(?:[A-Z]\\.)?[0-9]+(?:\\.[0-9]+)*";
    static const std::string joint = "(?:, and |, | and | or | to )";
    static const std::regex cited(
        "\\b(?:([Ee]qs?|[Ee]quations?)\\.? +(\\(" + number + "\\)(?:" + joint + "\\(" + number + "\\))*)" +
        "|(Theorems?|Lemmas?|Propositions?|Corollary|Corollaries|Definitions?|Assumptions?|Algorithms?) +(" + number +
        "(?:" + joint + number + "\\b(?!['/^]))*))");
    std::vector<Citation> citations;
    for (const CommentText& comment : comments_of(source)) {
        const auto named = papers_named(comment.text, papers);
        for (std::sregex_iterator at(comment.text.begin(), comment.text.end(), cited), end; at != end; ++at) {
            std::string paper = named.empty() ? of_file : named.back().second;
            for (auto next = named.rbegin(); next != named.rend(); ++next)
                if (next->first > static_cast<size_t>(at->position())) paper = next->second;
            const bool equation = (*at)[1].matched;
            for (const std::string& one : numbers_cited((*at)[equation ? 1 : 3], (*at)[equation ? 2 : 4]))
                citations.push_back({comment.line, one, paper});
        }
    }
    return citations;
}

/// The paper that a file of core/ is about: that of a folder around it in core/experiments, or the only one that its
/// comments name, or those of the header beside it; "" if that says nothing.
inline std::string paper_of_file(const std::filesystem::path& file, const std::vector<PaperStatements>& papers) {
    for (const std::filesystem::path& part : file.parent_path()) {
        std::string folder = part.string();
        std::replace(folder.begin(), folder.end(), '_', '-');
        for (const PaperStatements& paper : papers)
            if (paper.paper == folder) return folder;
    }
    const auto named_in = [&](const std::filesystem::path& path) {
        std::string text;
        for (const CommentText& comment : comments_of(slurp(path))) text += comment.text + "\n";
        return only_paper(text, papers);
    };
    const std::string own = named_in(file);
    return own.empty() && file.extension() == ".cpp" ? named_in(std::filesystem::path(file).replace_extension(".h"))
                                                     : own;
}

}  // namespace emergence::testing
