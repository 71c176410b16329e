#pragma once
// An agent with linear function approximation that collects windows of n transitions under its policy, and
// the teachers that improve it: batch semi-gradient SARSA, Eq. (2), and batch actor-critic, Eq. (3) of Liang
// and Lai.

#include "core/tasks/improvement_prompt.h"
#include "core/tasks/improvement_task.h"

namespace emergence {

struct AgentOptions {
    double gamma = 0.5;
    double epsilon = 0.1;  // share of uniformly random actions
    double alpha = 0.2;    // step size of SARSA, of the actor
    double beta = 0.8;     // step size of the critic
};

/// Computes in T, float or double. Not thread-safe.
template <class T>
class PolicyAgent {
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
    using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  public:
    PolicyAgent(const ImprovementShape& shape, const AgentOptions& options);

    /// In this task from now on, with its first parameters.
    void begin(const ImprovementTask& task);
    /// The state that the next window starts in.
    int state() const { return state_; }
    void set_state(int state) { state_ = state; }
    /// Draws it from P_0.
    void draw_state(Stream& stream) { state_ = first_.draw(0, stream.uniform()); }

    /// (lambda, w), or w.
    const Vector& parameters() const { return parameters_; }
    void set_parameters(const Vector& parameters);
    /// Other rates from now on. The policy follows with the next parameters.
    void set_options(const AgentOptions& options) { options_ = options; }
    /// parameters += update.
    void improve(const T* update);

    /// Follows the policy for n steps; the prompt of Eq. (4) or (13), with the teacher's update. The next
    /// window starts where this one ends.
    void collect(Stream& stream, ImprovementPrompt<T>& prompt);

    /// The discounted reward of `steps` steps from P_0 on. Leaves state() alone.
    double play(Stream& stream, int steps) const;

    /// The probabilities it acts with: epsilon-greedy in Q_w, or the softmax with an epsilon of uniformly
    /// random actions mixed in; states x actions.
    const Eigen::MatrixXd& policy() const { return policy_; }
    /// SARSA: Q_w, states * actions. Actor-critic: v_w, states.
    const Vector& values() const { return values_; }

    /// Where a window has been: s_0, a_0, s_1, a_1, ..., s_n, a_n (-1 where none is drawn).
    struct Visit {
        int state = 0, action = -1;
        T reward = T(0);  // that led here
    };
    const std::vector<Visit>& last_window() const { return window_; }

  private:
    void refresh();  // what follows from the parameters
    void refresh_softmax();
    void walk(Stream& stream);
    void write_values(int now, int then, T reward, T* x) const;
    void write_sarsa(ImprovementPrompt<T>& prompt) const;
    void write_actor_critic(ImprovementPrompt<T>& prompt) const;

    ImprovementShape shape_;
    AgentOptions options_;
    const ImprovementTask* task_ = nullptr;  // of begin(): has to outlive the agent's use
    Rows value_features_, policy_features_;
    Rows discounted_features_;  // gamma times those of values
    Rows mean_features_;        // sum_b phi(s, b) pi(b | s): states x m
    Vector parameters_, values_;
    Vector weights_;  // of the softmax: workspace
    Eigen::MatrixXd policy_;
    RowSampler first_, next_, action_;
    std::vector<Visit> window_;
    int state_ = 0;
};

extern template class PolicyAgent<float>;
extern template class PolicyAgent<double>;

}  // namespace emergence
