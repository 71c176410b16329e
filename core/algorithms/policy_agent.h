#pragma once
// An agent with linear function approximation, which collects windows of n transitions under its policy, and the
// teachers that improve it: batch semi-gradient SARSA, Eq. (2), and batch actor-critic, Eq. (3), Liang and Lai.

#include "core/tasks/improvement_task.h"

namespace emergence {

/// The constants of an agent and its teacher.
struct AgentOptions {
    double gamma = 0.5;
    // Share of uniformly random actions.
    double epsilon = 0.1;
    // Step size of SARSA or of the actor.
    double alpha = 0.2;
    // Step size of the critic.
    double beta = 0.8;
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
    const Eigen::MatrixXd& policy() const { return policy_; }
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
    void walk(Stream& stream);
    void write_values(int now, int then, T reward, T* x) const;
    void write_sarsa(ImprovementPrompt<T>& prompt) const;
    void write_actor_critic(ImprovementPrompt<T>& prompt) const;

    ImprovementShape shape_;
    AgentOptions options_;
    const ImprovementTask* task_ = nullptr;
    Rows value_features_, policy_features_;
    Rows discounted_features_;  // gamma value_features_
    Rows mean_features_;        // sum_b phi(s, b) pi(b | s): states x m
    Vector parameters_, values_;
    Vector weights_;  // workspace of the softmax
    Eigen::MatrixXd policy_;
    RowSampler first_, next_, action_;
    std::vector<Visit> window_;
    int state_ = 0;
};

}  // namespace emergence
