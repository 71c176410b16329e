// The words about the blocks of P and Q against theory's matrices themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/registry.h"

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

// Numbers of layers and losses whose algorithm has weights.
const std::vector<std::pair<int, LossKind>> kTheories = {{1, LossKind::td},
                                                         {3, LossKind::td},
                                                         {1, LossKind::residual_gradient},
                                                         {3, LossKind::residual_gradient},
                                                         {3, LossKind::td_lambda},
                                                         {3, LossKind::monte_carlo}};

// Of a block that theory leaves at 0: what it would do.
bool tells_of_zero(const BlockMeaning& meaning) { return meaning.text.empty() || meaning.text.starts_with("0."); }

}  // namespace

TEST_CASE("exactly the blocks that theory uses have a meaning") {
    for (const auto& [layers, loss] : kTheories) {
        const TheoryMatrices theory = in_context_td_theory(kTdFeatures, layers, loss);
        for (const auto& [name, table] : {std::pair("P0", theory.P), std::pair("Q0", theory.Q)}) {
            const std::vector<BlockMeaning> meanings = in_context_td_meanings(name, layers, loss);
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column) {
                    INFO(layers, ", ", row, ", ", column);
                    const auto count = std::count_if(meanings.begin(), meanings.end(), [&](const auto& m) {
                        return m.row_block == row && m.column_block == column && !m.text.empty() && !tells_of_zero(m);
                    });
                    CHECK(count == (has_entries(table, row, column) ? 1 : 0));
                }
        }
    }
}

TEST_CASE("the update's terms are tied to blocks that theory uses, and every such block to a term") {
    for (const auto& [layers, loss] : kTheories) {
        const TheoryMatrices theory = in_context_td_theory(kTdFeatures, layers, loss);
        const Formula formula = in_context_td_formula(layers, 1, loss);
        for (const FormulaTerm& term : formula.terms)
            for (const BlockReference& block : term.blocks)
                CHECK(has_entries(block.matrix == "P0" ? theory.P : theory.Q, block.row_block, block.column_block));
        for (const char* name : {"P0", "Q0"})
            for (const BlockMeaning& meaning : in_context_td_meanings(name, layers, loss))
                CHECK(terms_of_block(formula, {name, meaning.row_block, meaning.column_block}).empty() ==
                      tells_of_zero(meaning));
    }
}

TEST_CASE("Q's upper right block is the bootstrapped value and nothing else") {
    const Formula formula = in_context_td_formula(3);
    const std::vector<size_t> terms = terms_of_block(formula, {"Q0", 0, 1});
    REQUIRE(terms.size() == 1);
    CHECK(formula.terms[terms[0]].text == "gamma w_l^T phi'_j");
}

TEST_CASE("the theory of residual gradient emerges by its own rule alone") {
    const TheoryMatrices residual = in_context_td_theory(kTdFeatures, 3, LossKind::residual_gradient);
    const TheoryMatrices td = in_context_td_theory(kTdFeatures, 3);
    CHECK(lacks_to_emerge(element_wise(residual.P, residual.Q), kTdFeatures, 3, true).empty());
    CHECK_FALSE(lacks_to_emerge(element_wise(td.P, td.Q), kTdFeatures, 3, true).empty());
    const TheoryMatrices one = in_context_td_theory(kTdFeatures, 1, LossKind::residual_gradient);
    CHECK(lacks_to_emerge(element_wise(one.P, one.Q), kTdFeatures, 1, true).empty());
}

TEST_CASE("average reward has a formula, and no weights to compare with") {
    InContextTdConfig config;
    config.loss.kind = LossKind::average_reward;
    CHECK(has_theory(config));
    CHECK_FALSE(has_target(config));
    for (const FormulaTerm& term : in_context_td_formula(3, 1, LossKind::average_reward).terms)
        CHECK(term.blocks.empty());
    Settings settings(find_experiment("td").fields);
    settings.set_from_text("loss", "average_reward");
    settings.set_from_text("surgery", "zero P[phi,R]");
    CHECK_NOTHROW(find_experiment("td").check(settings));
    settings.set_from_text("surgery", "snap");
    CHECK_THROWS_WITH_AS(find_experiment("td").check(settings),
                         doctest::Contains("surgery: snap needs theory's weights"), InputError);
}
