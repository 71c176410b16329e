#pragma once
// An update rule, term by term. Each term names the blocks of the matrices that carry it out.

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// A block of a matrix: the matrix' name, and the indices of its row and column block.
struct BlockReference {
    std::string matrix;
    int row_block = 0;
    int column_block = 0;
    bool operator==(const BlockReference&) const = default;
};

struct FormulaTerm {
    /// "w_{l+1}", "phi'_j", "w^T": one character or a braced group after _ or ^, Greek spelled out.
    std::string text;
    /// A sentence; "" for signs and brackets.
    std::string meaning;
    /// The blocks that carry the term out.
    std::vector<BlockReference> blocks;
    bool operator==(const FormulaTerm&) const = default;
};

struct Formula {
    std::string name;  // "batch TD"
    std::vector<FormulaTerm> terms;
    /// The source of the formula.
    std::string note;
    bool operator==(const Formula&) const = default;
};

/// The terms of a formula that is written in one line. Where the line has a text of `known`, the longest of several, that is
/// the term; every other word is a sign or a bracket.
///     written("w_1 = alpha/n sum_j R_j phi_j", {{"R_j", "The reward.", {{"P", 2, 2}}}, {"w_1", "The weights.", {}}, ..})
inline std::vector<FormulaTerm> written(std::string_view line, const std::vector<FormulaTerm>& known) {
    std::vector<FormulaTerm> terms;
    while (!line.empty()) {
        FormulaTerm& term = terms.emplace_back(FormulaTerm{std::string(line.substr(0, line.find(' '))), "", {}});
        for (const FormulaTerm& one : known) {
            const bool whole = line.size() == one.text.size() || (line.starts_with(one.text + ' '));
            if (whole && line.starts_with(one.text) && one.text.size() >= term.text.size()) term = one;
        }
        line.remove_prefix(std::min(line.size(), term.text.size() + 1));
    }
    return terms;
}

/// The indices of the terms that a block carries out. Of several terms only those with the fewest blocks, so that
/// pointing at a shared block shows its most specific purpose.
inline std::vector<size_t> terms_of_block(const Formula& formula, const BlockReference& block) {
    std::vector<size_t> terms;
    size_t fewest = std::numeric_limits<size_t>::max();
    for (size_t i = 0; i < formula.terms.size(); ++i) {
        const std::vector<BlockReference>& blocks = formula.terms[i].blocks;
        if (std::find(blocks.begin(), blocks.end(), block) == blocks.end() || blocks.size() > fewest) continue;
        if (blocks.size() < fewest) terms.clear();
        fewest = blocks.size();
        terms.push_back(i);
    }
    return terms;
}

}  // namespace emergence
