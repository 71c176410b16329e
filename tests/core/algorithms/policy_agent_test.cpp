#include "core/algorithms/policy_agent.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/differences.h"

using namespace emergence;

namespace {

constexpr ImprovementShape kSarsa{{Improvement::sarsa, 9, 4, 36, 0}, 20};
constexpr ImprovementShape kActorCritic{{Improvement::actor_critic, 9, 4, 9, 36}, 20};

double policy_log(const ImprovementTask& task, const Vec& lambda, int state, int action) {
    const Vec logits = task.policy_features * lambda;
    double sum = 0;
    for (int a = 0; a < 4; ++a) sum += std::exp(logits(task.mdp.pair(state, a)));
    return logits(task.mdp.pair(state, action)) - std::log(sum);
}

}  // namespace

TEST_CASE("SARSA: the teacher's update is Eq. (2), summed by hand") {
    const AgentOptions options;
    const ImprovementTask task = random_improvement_task(kSarsa.sizes, 5, 2);
    PolicyAgent<double> agent(kSarsa, options);
    agent.begin(task);
    Stream stream(1, Purpose::testing);
    ImprovementPrompt<double> prompt(kSarsa);
    agent.collect(stream, prompt);
    const Vec w = task.start;
    Vec sum = Vec::Zero(36);
    const auto& window = agent.last_window();
    REQUIRE(window.size() == 21);
    for (size_t i = 0; i < 20; ++i) {
        const Vec now = task.value_features.row(task.mdp.pair(window[i].state, window[i].action)).transpose();
        const Vec then = task.value_features.row(task.mdp.pair(window[i + 1].state, window[i + 1].action)).transpose();
        CHECK(window[i + 1].reward == task.mdp.reward(window[i].action, window[i + 1].state));
        sum += (window[i + 1].reward + 0.5 * w.dot(then) - w.dot(now)) * now;
        const auto x = ConstMatView::column(prompt.row(static_cast<int>(i)), 73);
        CHECK((x.head(36) - now).norm() < 1e-15);
        CHECK((x.segment(36, 36) - 0.5 * then).norm() < 1e-15);
        CHECK(x(72) == window[i + 1].reward);
    }
    const auto update = ConstMatView::column(prompt.teacher.data(), 36);
    CHECK((update - 0.2 / 20 * sum).norm() < 1e-14);
    CHECK(agent.state() == window.back().state);
    CHECK(prompt.query[0] == 1.0);
    CHECK(prompt.query[36] == w(35));
}

TEST_CASE("actor-critic: the scores are the gradient of log pi, the update is Eq. (3)") {
    AgentOptions options;
    options.gamma = 0.7;
    const ImprovementTask task = random_improvement_task(kActorCritic.sizes, 5, 2);
    PolicyAgent<double> agent(kActorCritic, options);
    agent.begin(task);
    Stream stream(1, Purpose::testing);
    ImprovementPrompt<double> prompt(kActorCritic);
    agent.collect(stream, prompt);
    Vec lambda = task.start.head(36);
    const Vec w = task.start.tail(9);
    Vec actor = Vec::Zero(36), critic = Vec::Zero(9);
    const auto& window = agent.last_window();
    for (size_t i = 0; i < 20; ++i) {
        Vec score(36);
        const auto log_of = [&] { return policy_log(task, lambda, window[i].state, window[i].action); };
        for (int k = 0; k < 36; ++k) score(k) = testing::slope_by(lambda(k), log_of, 1e-6);
        const Vec now = task.value_features.row(window[i].state).transpose();
        const Vec then = task.value_features.row(window[i + 1].state).transpose();
        const double error = window[i + 1].reward + 0.7 * w.dot(then) - w.dot(now);
        critic += error * now;
        actor += std::pow(0.7, static_cast<double>(i)) * error * score;
    }
    const auto update = ConstMatView::column(prompt.teacher.data(), 45);
    CHECK((update.tail(9) - 0.8 / 20 * critic).norm() < 1e-14);
    CHECK((update.head(36) - 0.2 / 20 * actor).norm() < 1e-9);
}

TEST_CASE("the policies: epsilon-greedy, softmax with an epsilon mixed in") {
    const ImprovementTask task = random_improvement_task(kSarsa.sizes, 0, 0);
    PolicyAgent<double> greedy(kSarsa, {});
    greedy.begin(task);
    for (int s = 0; s < 9; ++s) {
        CHECK(greedy.policy().row(s).sum() == doctest::Approx(1.0));
        CHECK(greedy.policy().row(s).maxCoeff() == doctest::Approx(0.925));
        CHECK(greedy.policy().row(s).minCoeff() == doctest::Approx(0.025));
    }
    const ImprovementTask other = random_improvement_task(kActorCritic.sizes, 0, 0);
    PolicyAgent<double> soft(kActorCritic, {});
    soft.begin(other);
    for (int s = 0; s < 9; ++s)
        for (int a = 0; a < 4; ++a)
            CHECK(soft.policy()(s, a) ==
                  doctest::Approx(0.025 + 0.9 * std::exp(policy_log(other, other.start.head(36), s, a))));
}

TEST_CASE("the mean of played returns is the policy's exact value") {
    const ImprovementTask task = random_improvement_task(kSarsa.sizes, 4, 1);
    PolicyAgent<float> agent(kSarsa, {});
    agent.begin(task);
    Stream stream(2, Purpose::testing);
    double sum = 0, squares = 0;
    const int plays = 20000;
    for (int i = 0; i < plays; ++i) {
        const double played = agent.play(stream, 50);
        sum += played;
        squares += played * played;
    }
    const double mean = sum / plays, error = std::sqrt((squares / plays - mean * mean) / plays);
    const double exact = task.mdp.initial.dot(policy_values(task.mdp, agent.policy(), 0.5));
    CHECK(std::abs(mean - exact) < 4 * error);
}
