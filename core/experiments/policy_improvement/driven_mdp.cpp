#include "core/experiments/policy_improvement/driven_mdp.h"

#include "core/base/statistics.h"

namespace emergence {
namespace {

// Keys the held-out world of the driven MDP, which nothing else uses.
constexpr uint64_t kDrivenWorld = 0x64726976;

ImprovementShape driven_shape(const ImprovementConfig& c) { return {c.sizes(), c.drive_n}; }

// An agent and its MDP, whose rewards change at update edit_at.
class Loop {
  public:
    Loop(const ImprovementConfig& config)
        : config_(config),
          shape_(driven_shape(config)),
          seed_(derive_seed(static_cast<uint64_t>(config.seed) ^ kDrivenWorld, Purpose::held_out)),
          task_(random_improvement_task(shape_.sizes, seed_, static_cast<uint32_t>(config.drive_mdp))),
          agent_(shape_, config.drive) {
        agent_.begin(task_);
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    /// Call before window t: edits the rewards if t is edit_at.
    void enter(int t) {
        if (t == config_.edit_at)
            task_.mdp.reward.col(smaller(config_.edit_state, config_.sizes().num_states - 1)).array() +=
                config_.edit_bonus;
    }
    void collect(int t, ImprovementPrompt<float>& prompt) {
        Stream stream(seed_, Purpose::trajectory, static_cast<uint32_t>(config_.drive_mdp), static_cast<uint32_t>(t));
        if (t == 0) agent_.draw_state(stream);
        agent_.collect(stream, prompt);
    }
    double value_of(const Eigen::VectorXd& values) const { return task_.mdp.initial.dot(values); }
    Eigen::VectorXd policy_value() const { return policy_values(task_.mdp, agent_.policy(), config_.drive.gamma); }
    PolicyAgent<float>& agent() { return agent_; }
    const Mdp& mdp() const { return task_.mdp; }

  private:
    const ImprovementConfig& config_;
    ImprovementShape shape_;
    uint64_t seed_;
    ImprovementTask task_;
    PolicyAgent<float> agent_;
};

// A matrix's rows in one vector.
Eigen::VectorXd by_pairs(const Eigen::MatrixXd& matrix) { return matrix.transpose().reshaped(); }

DrivenMoment look(const ImprovementConfig& config, Loop& loop) {
    DrivenMoment moment;
    const PolicyAgent<float>& agent = loop.agent();
    const Eigen::VectorXd v = loop.policy_value();
    moment.policy = agent.policy();
    moment.values = agent.values().cast<double>();
    moment.exact = config.is_sarsa() ? by_pairs(action_values(loop.mdp(), v, config.drive.gamma)) : v;
    moment.own_return = loop.value_of(v);
    moment.oracle = loop.value_of(optimal_action_values(loop.mdp(), config.drive.gamma).rowwise().maxCoeff().eval());
    moment.best_exploring = loop.value_of(best_exploring_values(loop.mdp(), config.drive.gamma, config.drive.epsilon));
    return moment;
}

}  // namespace

std::vector<DrivenMoment> drive(const ImprovementConfig& config, const float* weights) {
    const ImprovementShape shape = driven_shape(config);
    const auto block = make_improvement_block<float>(shape);
    Loop own(config), taught(config);
    ImprovementPrompt<float> prompt(shape), of_teacher(shape);
    std::vector<DrivenMoment> moments;
    for (int t = 0; t <= config.drive_updates; ++t) {
        own.enter(t);
        taught.enter(t);
        DrivenMoment moment = look(config, own);
        moment.teacher_return = taught.value_of(taught.policy_value());
        own.collect(t, prompt);
        taught.collect(t, of_teacher);
        moment.window = own.agent().last_window();
        moment.teacher = prompt.teacher;
        moment.update.resize(prompt.teacher.size());
        block->forward(weights, prompt.view(), moment.update.data());
        own.agent().improve(moment.update.data());
        moment.next_policy = own.agent().policy();
        taught.agent().improve(of_teacher.teacher.data());
        moments.push_back(std::move(moment));
    }
    return moments;
}

}  // namespace emergence
