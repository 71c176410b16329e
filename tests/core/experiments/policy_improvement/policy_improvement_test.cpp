// Experiments sarsa and actor-critic through their public face, and one MDP that is driven by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/models/constructions.h"
#include "tests/support/judged.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_improvement(const std::string& name) {
    Settings settings =
        emergence::testing::settings_of(name,
                                        "num_states=4, num_actions=2, d=4, n=8, frames=20, num_mdps=12, "
                                        "log_interval=2, loop_mdps=6, loop_updates=30");
    if (name == "actor-critic") settings.set("m", int64_t{5});
    return settings;
}

}  // namespace

TEST_CASE("policy improvement: full matrices, hatched where nothing can move") {
    for (const std::string name : {"sarsa", "actor-critic"}) {
        RunOf run(name, small_improvement(name));
        run.advance_to(6);
        const Snapshot snapshot = run.snapshot();
        const int D = name == "sarsa" ? 3 * 4 + 2 : 3 * 4 + 2 * 5 + 2;
        for (const char* which : {"P", "V"}) {
            const NamedMatrix* matrix = find_matrix(snapshot, which);
            REQUIRE(matrix != nullptr);
            CHECK(matrix->seeds[0].rows == D);
            // What is hatched is zero in training and in theory, and everything else moves.
            const HeatmapSpec shown = heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw, 0});
            int row = 0;
            for (size_t i = 0; i < shown.row_blocks.size(); row += shown.row_blocks[i++].size) {
                int column = 0;
                for (size_t j = 0; j < shown.column_blocks.size(); column += shown.column_blocks[j++].size) {
                    bool hatched = false;
                    for (const BlockMeaning& meaning : shown.meanings)
                        hatched = hatched || (meaning.hatched && meaning.row_block == static_cast<int>(i) &&
                                              meaning.column_block == static_cast<int>(j));
                    CHECK((shown.values(row, column) == 0.0) == hatched);
                    if (hatched) CHECK((*matrix->target)(row, column) == 0.0);
                }
            }
        }
        CHECK(snapshot.formulas.size() == (name == "sarsa" ? 1 : 2));
        CHECK(snapshot.plots[0].series.back().x == std::vector<double>{0, 10, 20, 30});
        CHECK(snapshot.plots[2].id == "loss_by_rate");
    }
}

TEST_CASE("policy improvement: the seed in the loop is the last where there are fewer") {
    Settings settings = small_improvement("sarsa");
    settings.set("shown_seed", int64_t{1});
    RunOf run("sarsa", settings);
    run.advance_to(2);
    const Snapshot last = run.snapshot();
    settings.set("shown_seed", int64_t{200});
    run.set_live(settings);
    CHECK(run.snapshot().plots[0].series.back().rows == last.plots[0].series.back().rows);
}

TEST_CASE("policy improvement: figures of both algorithms measure what is claimed of them") {
    const ExperimentInfo& info = find_experiment("sarsa");
    Settings settings = small_improvement("sarsa");
    settings.set("d", int64_t{8});  // as many as states x actions
    settings.set("seeds", int64_t{1});
    const std::vector<Claim>& claims = testing::shipped_claims();
    for (const FigureInfo& figure : info.figures) {
        const MadeFigure made = figure.build(info, settings, {});
        CHECK(made.failures.empty());
        CHECK_FALSE(made.figure.cells.empty());
        size_t of_figure = 0;
        for (const Claim& claim : claims) of_figure += claim.figure == figure.name ? 1 : 0;
        const std::vector<MeasuredClaim> all = measured_claims(claims, figure.name, made);
        CHECK(all.size() == of_figure);
        for (const MeasuredClaim& measured : all) CHECK(std::isfinite(measured.measurement.value));
    }
}

namespace {

template <class Config>
std::vector<float> constructed_policy(const Config& c) {
    return weights_of<float>(c.shape, constructed_blocks(c.shape, c.agent.alpha, c.agent.beta));
}

template <class Config>
Config driven() {
    Config config;
    config.drive_updates = 40;
    return config;
}

template <class Config>
void check_follows_teacher(const Config& config) {
    const auto weights = constructed_policy(config);
    const auto moments = drive(config, weights.data());
    REQUIRE(moments.size() == 41);
    for (const DrivenMoment& moment : moments) {
        REQUIRE(moment.window.size() == static_cast<size_t>(config.drive_n) + 1);
        double largest = 0, apart = 0;
        for (size_t k = 0; k < moment.update.size(); ++k) {
            largest = std::max(largest, std::abs(static_cast<double>(moment.teacher[k])));
            apart = std::max(apart, std::abs(static_cast<double>(moment.update[k] - moment.teacher[k])));
        }
        CHECK(apart < 1e-4 * largest);
        CHECK(moment.own_return <= moment.best_exploring + 1e-9);
        CHECK(moment.best_exploring <= moment.oracle + 1e-12);
    }
    CHECK(moments[0].own_return == moments[0].teacher_return);
}

}  // namespace

TEST_CASE("driven MDP: constructed weights follow the teacher, whatever n, gamma and epsilon") {
    check_follows_teacher(driven<SarsaConfig>());
    check_follows_teacher(driven<ActorCriticConfig>());
    auto other = driven<ActorCriticConfig>();
    other.drive_n = 7;
    other.drive.gamma = 0.8;
    other.drive.epsilon = 0.4;
    check_follows_teacher(other);
}

TEST_CASE("driven MDP: the transformer's step stands in its weights") {
    auto config = driven<SarsaConfig>();
    config.drive.alpha = 0.1;  // the teacher's; the weights have 0.2
    const auto weights = constructed_policy(config);
    const DrivenMoment first = drive(config, weights.data())[0];
    for (size_t k = 0; k < first.update.size(); ++k)
        CHECK(first.update[k] == doctest::Approx(2 * first.teacher[k]).epsilon(1e-3));
}

TEST_CASE("driven MDP: rewards that are edited change what comes after, and only that") {
    auto config = driven<SarsaConfig>();
    config.drive_updates = 300;
    const auto weights = constructed_policy(config);
    const auto plain = drive(config, weights.data());
    config.edit_at = 20;
    config.edit_state = 3;
    config.edit_bonus = 2;
    const auto edited = drive(config, weights.data());
    for (size_t t = 0; t < 20; ++t) {
        CHECK(edited[t].own_return == plain[t].own_return);
        CHECK(edited[t].update == plain[t].update);
    }
    CHECK(edited[20].policy == plain[20].policy);  // not yet improved
    CHECK(edited[20].oracle > plain[20].oracle);
    CHECK(edited[300].oracle - edited[300].own_return < edited[20].oracle - edited[20].own_return);
    CHECK(edited[20].update != plain[20].update);
}

TEST_CASE("driven MDP: its drawings keep within their bounds and tell their numbers") {
    for (const bool sarsa : {true, false}) {
        const ImprovementConfig config =
            sarsa ? ImprovementConfig(driven<SarsaConfig>()) : ImprovementConfig(driven<ActorCriticConfig>());
        const auto weights = constructed_policy(config);
        const Scene scene = improvement_scene(config, weights.data());
        REQUIRE(scene.moments->size() == 41);
        CHECK(scene.chosen_by == "drive_mdp");
        for (const size_t t : {size_t{0}, size_t{40}}) {
            const DrawingSpec& drawing = (*scene.moments)[t];
            for (const DrawnShape& shape : drawing.shapes)
                for (const auto& [x, y] : shape.places)
                    CHECK((x >= drawing.left && x <= drawing.right && y >= drawing.bottom && y <= drawing.top));
            // Both policies, the values beside the exact ones, the window, both updates.
            std::map<std::string, double> numbers;
            for (const DrawnNumber& number : drawing.numbers) CHECK(numbers.emplace(number.name, number.value).second);
            for (const char* name : {"return", "pi_8_3", "next_pi_8_3", "window_state_0", "window_reward_19",
                                     "written_update_0", "teacher_update_0"})
                CHECK_MESSAGE(numbers.count(name) == 1, name);
            CHECK(numbers.count("exact_Q_8_3") + numbers.count("exact_v_8") == 1);
        }
    }
}
