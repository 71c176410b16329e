#pragma once
// An update rule, term by term, each tied to the blocks of the matrices that carry it out.

#include <string>
#include <vector>

namespace emergence {

/// A block of a matrix: the matrix' name, and indices of its row and column blocks.
struct BlockReference {
    std::string matrix;
    int row_block = 0;
    int column_block = 0;
    bool operator==(const BlockReference&) const = default;
};

struct FormulaTerm {
    /// As "w_{l+1}", "phi'_j", "w^T": one character or a braced group behind _ or ^, Greek spelled out.
    std::string text;
    std::string meaning;                 // a sentence, "" for signs and brackets
    std::vector<BlockReference> blocks;  // where the matrices carry it out
    bool operator==(const FormulaTerm&) const = default;
};

struct Formula {
    std::string name;  // "batch TD"
    std::vector<FormulaTerm> terms;
    std::string note;  // where it comes from
    bool operator==(const Formula&) const = default;
};

/// The terms that a block carries out, as indices: those tied to the fewest blocks, so that pointing at a
/// block that several terms share lights up what it alone is for.
std::vector<size_t> terms_of_block(const Formula& formula, const BlockReference& block);

}  // namespace emergence
