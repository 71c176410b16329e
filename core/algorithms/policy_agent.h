#pragma once
// Policy improvement, Liang and Lai: random MDPs with features, an agent with linear function approximation, which
// collects windows of n transitions under its policy, and the teachers that improve it: batch semi-gradient SARSA, Eq.
// (2), and batch actor-critic, Eq. (3).

#include <vector>

#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/tasks/layouts.h"
#include "core/tasks/task.h"

namespace emergence {

/// A finite MDP. Quantities per state s and action a are in row s * num_actions + a.
struct Mdp {
    int num_states = 0, num_actions = 0;
    Vec initial;     // P_0: states
    Mat transition;  // P(s' | s, a): (states * actions) x states, rows sum to 1
    Mat reward;      // r(a, s'): actions x states

    int pair(int state, int action) const { return state * num_actions + action; }
};

/// MDP number `index` of the world `seed`: P_0, P(. | s, a) ~ Dirichlet(1, ..., 1), r(a, s') ~ U(-1, 1).
Mdp random_mdp(int num_states, int num_actions, uint64_t seed, uint32_t index);

/// The values, one per state, of the best policy with a share epsilon of uniformly random actions, by value iteration
/// until none changes by more than 1e-13. gamma < 1.
Vec best_exploring_values(const Mdp& mdp, double gamma, double epsilon);
/// Q*, states x actions.
Mat optimal_action_values(const Mdp& mdp, double gamma);

/// v_pi = (I - gamma P_pi)^{-1} r_pi. policy: probabilities, states x actions.
Vec policy_values(const Mdp& mdp, const Mat& policy, double gamma);
/// q(s, a) = r(s, a) + gamma sum_s' P(s' | s, a) v(s'): states x actions. values: v, states.
Mat action_values(const Mdp& mdp, const Vec& values, double gamma);

/// The policy that takes the largest entry of each row of `scores`, the first if several are equal.
Mat greedy_policy(const Mat& scores);

/// One task.
struct ImprovementTask {
    Mdp mdp;
    Mat value_features;   // SARSA: phi(s, a), (states * actions) x d. Actor-critic: phi_V(s), states x d.
    Mat policy_features;  // phi_pi(s, a): (states * actions) x m
    Vec start;            // the first parameters w, or lambda above w: m + d
};

/// Task number `index` of the world `seed`: the MDP of random_mdp(), features and parameters ~ U(-1, 1).
ImprovementTask random_improvement_task(const ImprovementSizes& sizes, uint64_t seed, uint32_t index);

// The prompts of in-context policy improvement, Eqs. (4) and (13), Liang and Lai: n columns of context with zeros
// after their first r entries, and a last column with the parameters in its last c entries.

/// A prompt without its zeros, and the teacher's update for it.
template <class T>
struct ImprovementPrompt {
    explicit ImprovementPrompt(const ImprovementShape& shape)
        : stride(padded_row(shape.context())), X(shape.n * stride), query(shape.query()), teacher(shape.outputs()) {}

    int stride;              // padded_row(r)
    std::vector<T> X;        // n x stride: x_i in the first r entries, then zeros
    std::vector<T> query;    // c
    std::vector<T> teacher;  // outputs: the update of the parameters, Eq. (2) or (3)

    PromptView<T> view() const { return {X.data(), query.data(), teacher.data()}; }
    T* row(int i) { return X.data() + i * stride; }
};

/// The constants of an agent and its teacher.
struct AgentOptions {
    double gamma = 0.5;
    double epsilon = 0.1;  // share of uniformly random actions
    double alpha = 0.2;    // step size of SARSA or of the actor
    double beta = 0.8;     // step size of the critic
};

/// One agent in one task at a time. T: float or double. Not thread-safe.
template <class T>
class PolicyAgent {
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
    using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  public:
    PolicyAgent(const ImprovementShape& shape, const AgentOptions& options);

    /// Enters a task, which must outlive its use, with the task's first parameters.
    void begin(const ImprovementTask& task);
    /// The first state of the next window.
    int state() const { return state_; }
    void set_state(int state) { state_ = state; }
    /// Draws state() from P_0.
    void draw_state(Stream& stream) { state_ = first_.draw(0, stream.uniform()); }

    /// (lambda, w), or w for SARSA.
    const Vector& parameters() const { return parameters_; }
    void set_parameters(const Vector& parameters);
    /// parameters += update.
    void improve(const T* update);

    /// Follows the policy for n steps and writes the prompt of Eq. (4) or (13) and the teacher's update, Eq. (2) or
    /// (3). The next window starts where this one ends.
    void collect(Stream& stream, ImprovementPrompt<T>& prompt);
    /// Window number `number` in MDP number `mdp` of a world, with its own stream. The first starts from P_0.
    void collect(uint64_t world, uint32_t mdp, uint32_t number, ImprovementPrompt<T>& prompt) {
        Stream stream(world, Purpose::trajectory, mdp, number);
        if (number == 0) draw_state(stream);
        collect(stream, prompt);
    }

    /// The discounted return of `steps` steps from P_0. Does not change state().
    double play(Stream& stream, int steps) const;

    /// The probabilities of actions, states x actions: greedy in Q_w, or the softmax, with a share epsilon of uniformly
    /// random actions.
    const Mat& policy() const { return policy_; }
    /// SARSA: Q_w, states * actions. Actor-critic: v_w, states.
    const Vector& values() const { return values_; }

    /// One visit of a window: s_i, a_i and the reward on entering s_i. action: -1 if none is drawn.
    struct Visit {
        int state = 0, action = -1;
        T reward = T(0);
    };
    /// The n + 1 visits of the last window.
    const std::vector<Visit>& last_window() const { return window_; }

  private:
    // Recomputes values and policy from the parameters.
    void refresh();
    void refresh_softmax();
    // Writes the window's context and the teacher's update.
    void teach(ImprovementPrompt<T>& prompt) const;

    ImprovementShape shape_;
    AgentOptions options_;
    const ImprovementTask* task_ = nullptr;
    Rows value_features_, policy_features_;
    Rows discounted_features_;  // gamma value_features_
    Rows mean_features_;        // sum_b phi(s, b) pi(b | s): states x m
    Vector parameters_, values_;
    Vector weights_;  // workspace of the softmax
    Mat policy_;
    RowSampler first_, next_, action_;
    std::vector<Visit> window_;
    int state_ = 0;
};

}  // namespace emergence
