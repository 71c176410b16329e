// The block that is trained against the whole layer, the constructions against the teachers, and gradients
// against differences.
#include "core/models/improvement_block.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/eigen.h"
#include "core/models/constructions.h"
#include "core/optim/adam.h"
#include "tests/claims/naive/improvement_naive.h"
#include "tests/support/differences.h"

using namespace emergence;

namespace {

const ImprovementShape kShapes[] = {{{Improvement::sarsa, 9, 4, 36, 0}, 20},
                                    {{Improvement::actor_critic, 9, 4, 9, 36}, 20},
                                    {{Improvement::sarsa, 3, 2, 4, 0}, 7},
                                    {{Improvement::actor_critic, 4, 3, 3, 5}, 1}};

template <class T>
ImprovementPrompt<T> prompt_of(const ImprovementShape& shape, uint32_t index) {
    return first_prompt<T>(shape, random_improvement_task(shape.sizes, 11, index), Stream(12, Purpose::testing, index));
}

EffectiveBlocks random_blocks(const ImprovementShape& shape, uint32_t index) {
    Stream stream(13, Purpose::testing, index);
    const auto draw = [&](int rows, int columns) {
        Mat block(rows, columns);
        for (Index i = 0; i < block.size(); ++i) block(i) = 0.3 * stream.normal();
        return block;
    };
    EffectiveBlocks blocks;
    blocks.P12 = draw(shape.context(), shape.query());
    blocks.V21 = draw(shape.outputs(), shape.context());
    return blocks;
}

Vec target_of(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt) {
    Vec target(shape.outputs());
    for (int k = 0; k < shape.outputs(); ++k)
        target(k) = prompt.query[static_cast<size_t>(k) + 1] + prompt.teacher[static_cast<size_t>(k)];
    return target;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

}  // namespace

TEST_CASE("Theorems 3.1 and 3.3: the constructed block writes the teacher's update, for any scale") {
    for (const ImprovementShape& shape : kShapes)
        for (const double c : {1.0, 0.3, -2.0})
            for (uint32_t index = 0; index < 10; ++index) {
                const ImprovementPrompt<double> prompt = prompt_of<double>(shape, index);
                const EffectiveBlocks blocks = rescaled(constructed_blocks(shape, 0.2, 0.8), c);
                const FullMatrices full = full_matrices(shape, blocks);
                const Eigen::MatrixXd H = dense_prompt(shape, prompt);
                const Vec written =
                    mat_of(naive_improvement(eigen(full.P), eigen(full.V), H).rightCols(1).bottomRows(shape.outputs()));
                const Vec target = target_of(shape, prompt);
                CHECK((written - target).norm() < 1e-12 * target.norm());
                auto block = make_improvement_block<double>(shape);
                std::vector<double> update(static_cast<size_t>(shape.outputs()));
                block->forward(weights_of<double>(shape, blocks).data(), prompt.view(), update.data());
                const auto teacher = ConstMatView::column(prompt.teacher.data(), shape.outputs());
                CHECK((ConstMatView::column(update.data(), shape.outputs()) - teacher).norm() < 1e-12 * teacher.norm());
            }
}

TEST_CASE("the effective blocks compute what the whole layer does, forward and backward") {
    for (const ImprovementShape& shape : kShapes) {
        const EffectiveBlocks blocks = random_blocks(shape, 0);
        const FullMatrices full = full_matrices(shape, blocks);
        const ImprovementPrompt<double> prompt = prompt_of<double>(shape, 3);
        const auto naive = naive_improvement_gradient(eigen(full.P), eigen(full.V), dense_prompt(shape, prompt),
                                                      eigen(target_of(shape, prompt)));
        std::vector<double> gradient;
        const double loss = block_gradient(*make_improvement_block<double>(shape), weights_of<double>(shape, blocks),
                                           prompt.view(), gradient);
        CHECK(loss == doctest::Approx(naive.loss).epsilon(1e-12));
        const EffectiveBlocks own = blocks_of(shape, gradient.data());
        const int r = shape.context(), c = shape.query(), o = shape.outputs();
        CHECK((own.P12 - mat_of(naive.P.topRows(r).rightCols(c))).norm() < 1e-12 * own.P12.norm());
        CHECK((own.V21 - mat_of(naive.V.bottomRows(o).leftCols(r))).norm() < 1e-12 * own.V21.norm());
    }
}

TEST_CASE("the gradients of block and whole layer are the loss's differences") {
    const ImprovementShape& shape = kShapes[2];
    const ImprovementPrompt<double> prompt = prompt_of<double>(shape, 1);
    auto block = make_improvement_block<double>(shape);
    std::vector<double> weights = weights_of<double>(shape, random_blocks(shape, 1));
    std::vector<double> gradient, unused;
    block_gradient(*block, weights, prompt.view(), gradient);
    double largest = 0;
    for (const double g : gradient) largest = std::max(largest, std::abs(g));
    const ImprovementLayout layout(shape);
    for (int i = 0; i < layout.context; ++i)
        for (int j = 0; j < layout.query + layout.outputs; ++j) {
            const size_t at = layout.P12(i, j);  // rows of V21 follow those of P12's columns
            const double slope =
                testing::slope_by(weights[at], [&] { return block_gradient(*block, weights, prompt.view(), unused); });
            CHECK(std::abs(slope - gradient[at]) < 1e-6 * largest);
        }
    // All of P and V, from random values everywhere.
    const Eigen::MatrixXd H = dense_prompt(shape, prompt);
    const Eigen::VectorXd target = eigen(target_of(shape, prompt));
    Stream stream(14, Purpose::testing);
    Eigen::MatrixXd PV[2];
    for (auto& matrix : PV) {
        matrix.resize(shape.rows(), shape.rows());
        for (Index i = 0; i < matrix.size(); ++i) matrix(i) = 0.3 * stream.normal();
    }
    const auto whole = naive_improvement_gradient(PV[0], PV[1], H, target);
    for (int which : {0, 1})
        for (Index i = 0; i < PV[0].size(); i += 3) {
            const double slope = testing::slope_by(
                PV[which](i), [&] { return naive_improvement_gradient(PV[0], PV[1], H, target).loss; });
            const Eigen::MatrixXd& g = which == 0 ? whole.P : whole.V;
            CHECK(std::abs(slope - g(i)) < 1e-6 * g.cwiseAbs().maxCoeff());
        }
}

TEST_CASE("Proposition 3.1: what cannot move, and what stays at zero only from zero") {
    const ImprovementShape& shape = kShapes[0];
    const int r = shape.context(), c = shape.query(), o = shape.outputs();
    const ImprovementPrompt<double> prompt = prompt_of<double>(shape, 2);
    const Eigen::MatrixXd H = dense_prompt(shape, prompt);
    const Eigen::VectorXd target = eigen(target_of(shape, prompt));
    FullMatrices full = full_matrices(shape, random_blocks(shape, 2));
    auto zero = naive_improvement_gradient(eigen(full.P), eigen(full.V), H, target);
    CHECK(zero.P.leftCols(r).norm() == 0.0);
    CHECK(zero.P.bottomRows(c).rightCols(c).norm() == 0.0);
    CHECK(zero.V.topRows(r + 1).norm() == 0.0);
    CHECK(zero.V.bottomRows(o).rightCols(c).norm() == 0.0);
    Stream stream(15, Purpose::testing);
    for (Mat* matrix : {&full.P, &full.V})
        for (Index i = 0; i < matrix->size(); ++i) (*matrix)(i) += 0.1 * stream.normal();
    const auto moved = naive_improvement_gradient(eigen(full.P), eigen(full.V), H, target);
    CHECK(moved.P.leftCols(r).norm() == 0.0);
    CHECK(moved.V.topRows(r + 1).norm() == 0.0);
    CHECK(moved.P.bottomRows(c).rightCols(c).norm() > 1e-3);
    CHECK(moved.V.bottomRows(o).rightCols(c).norm() > 1e-3);
}

TEST_CASE("training is Adam on the gradient; padding stays zero; all instruction sets agree") {
    const ImprovementShape& shape = kShapes[1];
    std::vector<double> fused = weights_of<double>(shape, random_blocks(shape, 3)), plain = fused;
    std::vector<double> gradient;
    Adam<double> a(fused.size()), b(fused.size());
    auto block = make_improvement_block<double>(shape);
    for (uint32_t index = 0; index < 5; ++index) {
        const ImprovementPrompt<double> prompt = prompt_of<double>(shape, index);
        const double t = index + 1.0;
        block->train(fused.data(), prompt.view(),
                     {a.first_moment.data(), a.second_moment.data(), 0.9, 0.999, 1e-8, 1e-3 / (1 - std::pow(0.9, t)),
                      1 / std::sqrt(1 - std::pow(0.999, t))});
        block_gradient(*block, plain, prompt.view(), gradient);
        b.step(plain.data(), gradient.data(), {});
    }
    CHECK(largest_difference(fused, plain) < 1e-13);

    std::vector<std::vector<float>> results;
    for (const InstructionSet set : available_instruction_sets()) {
        std::vector<float> weights = weights_of<float>(shape, random_blocks(shape, 3));
        std::vector<float> m(weights.size(), 0.0F), v(weights.size(), 0.0F);
        auto lanes = make_improvement_block<float>(shape, set);
        for (uint32_t index = 0; index < 5; ++index)
            lanes->train(weights.data(), prompt_of<float>(shape, index).view(),
                         {m.data(), v.data(), 0.9F, 0.999F, 1e-8F, 1e-3F, 10.0F});
        const EffectiveBlocks blocks = blocks_of(shape, weights.data());
        CHECK(weights_of<float>(shape, blocks) == weights);
        results.push_back(std::move(weights));
    }
    for (const auto& result : results) CHECK(result == results.front());
}
