// The words about the blocks of P and Q against theory's matrices themselves.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/experiments/in_context_td/td_study.h"

using namespace emergence;

namespace {

constexpr int kTdFeatures = 3;

bool has_entries(const Table& table, int row_block, int column_block) {
    const int first[] = {0, kTdFeatures, 2 * kTdFeatures, 2 * kTdFeatures + 1};
    for (int i = first[row_block]; i < first[row_block + 1]; ++i)
        for (int j = first[column_block]; j < first[column_block + 1]; ++j)
            if (table(i, j) != 0.0) return true;
    return false;
}

}  // namespace

TEST_CASE("exactly the blocks that theory uses have a meaning") {
    for (const int layers : {1, 3}) {
        const TheoryMatrices theory = in_context_td_theory(kTdFeatures, layers);
        for (const auto& [name, table] : {std::pair("P0", theory.P), std::pair("Q0", theory.Q)}) {
            const std::vector<BlockMeaning> meanings = in_context_td_meanings(name, layers);
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column) {
                    CAPTURE(layers);
                    CAPTURE(row);
                    CAPTURE(column);
                    const auto count = std::count_if(meanings.begin(), meanings.end(), [&](const auto& m) {
                        return m.row_block == row && m.column_block == column && !m.text.empty();
                    });
                    CHECK(count == (has_entries(table, row, column) ? 1 : 0));
                }
        }
    }
}

TEST_CASE("the update's terms are tied to blocks that theory uses, and every such block to a term") {
    for (const int layers : {1, 3}) {
        const TheoryMatrices theory = in_context_td_theory(kTdFeatures, layers);
        const Formula formula = in_context_td_formula(layers);
        for (const FormulaTerm& term : formula.terms)
            for (const BlockReference& block : term.blocks)
                CHECK(has_entries(block.matrix == "P0" ? theory.P : theory.Q, block.row_block,
                                  block.column_block));
        for (const char* name : {"P0", "Q0"})
            for (const BlockMeaning& meaning : in_context_td_meanings(name, layers))
                CHECK_FALSE(terms_of_block(formula, {name, meaning.row_block, meaning.column_block}).empty());
    }
}

TEST_CASE("Q's upper right block is the bootstrapped value and nothing else") {
    const Formula formula = in_context_td_formula(3);
    const std::vector<size_t> terms = terms_of_block(formula, {"Q0", 0, 1});
    REQUIRE(terms.size() == 1);
    CHECK(formula.terms[terms[0]].text == "gamma w_l^T phi'_j");
}
