// Experiment construction: Figure 13, and that a flaw shows.
#include "core/measures/construction_errors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

Settings small_td_construction(const std::string& algorithm) {
    return emergence::testing::settings_with(
        "construction", {{"algorithm", algorithm}, {"seeds", "3"}, {"num_layers", "6"}, {"n", "20"}});
}

struct ConstructionRun {
    std::vector<MetricRow> rows;
    Snapshot snapshot;
};

ConstructionRun run_construction(const Settings& settings) {
    emergence::testing::RunOf run("construction", settings);
    ConstructionRun outcome{run.advance_to(0), {}};
    while (!run.finished())
        for (MetricRow& row : run.advance_to(run.step() + 100)) outcome.rows.push_back(std::move(row));
    outcome.snapshot = run.snapshot();
    return outcome;
}

double largest_relative(const std::vector<MetricRow>& rows) {
    double largest = 0.0;
    for (const MetricRow& row : rows) largest = std::max(largest, row.values[1]);
    return largest;
}

double largest_of_block(const NamedMatrix& matrix, int row_block, int column_block) {
    const auto start = [](const std::vector<Block>& blocks, int block) {
        int sum = 0;
        for (int i = 0; i < block; ++i) sum += blocks[static_cast<size_t>(i)].size;
        return sum;
    };
    const int top = start(matrix.row_blocks, row_block), left = start(matrix.column_blocks, column_block);
    double largest = 0.0;
    for (const Table& table : matrix.seeds)
        for (int i = 0; i < matrix.row_blocks[static_cast<size_t>(row_block)].size; ++i)
            for (int j = 0; j < matrix.column_blocks[static_cast<size_t>(column_block)].size; ++j)
                largest = std::max(largest, std::abs(table(top + i, left + j)));
    return largest;
}

}  // namespace

TEST_CASE("construction: each algorithm has its matrices, mask, formulas and meanings, and agrees") {
    for (const std::string algorithm : {"td", "residual_gradient", "td_lambda", "average_reward_td"}) {
        CAPTURE(algorithm);
        const ConstructionRun whole = run_construction(small_td_construction(algorithm));
        CHECK(largest_relative(whole.rows) < 1e-12);
        const bool average = algorithm == "average_reward_td";
        const std::vector<std::string> names = average
                                                   ? std::vector<std::string>{"P_R", "P_mem", "Q", "W", "M_R", "M_mem"}
                                                   : std::vector<std::string>{"P", "Q", "M"};
        REQUIRE(whole.snapshot.matrices.size() == names.size());
        for (size_t i = 0; i < names.size(); ++i) {
            const NamedMatrix& matrix = whole.snapshot.matrices[i];
            CHECK(matrix.name == names[i]);
            CHECK(matrix.seeds[0].rows == (names[i][0] == 'M' ? 21 : average ? 8 : 7));
            CHECK(whole.snapshot.weights.contains(names[i]) == (names[i][0] != 'M'));
        }
        const NamedMatrix& Q = *find_matrix(whole.snapshot, "Q");
        CHECK(Q.seeds[0] != Q.seeds[1]);  // own C_l
        // Terms of the formulas point at blocks that hold something, and where no meaning stands a weight is zero.
        REQUIRE(whole.snapshot.formulas.size() == (algorithm == "td" || algorithm == "residual_gradient" ? 1 : 2));
        for (const Formula& formula : whole.snapshot.formulas)
            for (const FormulaTerm& term : formula.terms)
                for (const BlockReference& block : term.blocks) {
                    INFO(term.text, ", ", block.matrix);
                    const NamedMatrix* matrix = find_matrix(whole.snapshot, block.matrix);
                    REQUIRE(matrix != nullptr);
                    CHECK(largest_of_block(*matrix, block.row_block, block.column_block) > 0.0);
                }
        for (const NamedMatrix& matrix : whole.snapshot.matrices)
            for (int i = 0; i < static_cast<int>(matrix.row_blocks.size()); ++i)
                for (int j = 0; j < static_cast<int>(matrix.column_blocks.size()); ++j) {
                    CAPTURE(matrix.name);
                    const bool meant =
                        std::any_of(matrix.meanings.begin(), matrix.meanings.end(),
                                    [&](const BlockMeaning& m) { return m.row_block == i && m.column_block == j; });
                    if (!meant) CHECK(largest_of_block(matrix, i, j) == 0.0);
                }
    }
}

TEST_CASE("construction: with a step size the error comes to its limit, and the layer is told") {
    Settings settings = small_td_construction("td");
    testing::change(settings,
                    "preconditioner=step size, alpha=1.0, representable=true, "
                    "num_layers=200, n=100");
    const Snapshot snapshot = run_construction(settings).snapshot;
    const PlotSpec& plot = snapshot.plots[0];
    const auto& transformer = plot.series[0].rows;
    for (size_t k = 0; k < transformer.size(); ++k) {
        for (size_t l = 0; l < 201; ++l)
            CHECK(transformer[k][l] == doctest::Approx(plot.series[1].rows[k][l]).epsilon(1e-9));
        CHECK(plot.series[3].rows[k][0] == doctest::Approx(0.0));  // representable
        CHECK(transformer[k][0] == plot.series[4].rows[k][0]);     // nothing yet: predict zero
    }
    const auto scalar = [&](const std::string& name) {
        for (const Scalar& each : snapshot.scalars)
            if (each.name == name) return each.value;
        return -1.0;
    };
    CHECK(scalar("settled_prompts") == 1.0);
    CHECK(scalar("settled_layer") > 1.0);
    CHECK(scalar("settled_layer") < 200.0);
    CHECK(scalar("contraction") < 1.0);
    REQUIRE(plot.lines.size() == 1);
    CHECK(plot.lines[0].value == scalar("settled_layer"));
}

TEST_CASE("construction: a flaw shows") {
    Settings settings = small_td_construction("td_lambda");
    settings.set("flaw", std::string("plain_td"));
    CHECK(largest_relative(run_construction(settings).rows) > 1e-3);
}
