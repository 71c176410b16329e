#include "core/training/teacher_mimicking.h"

#include <cmath>

#include "core/base/array.h"
#include "core/models/improvement_constructions.h"

namespace emergence {

std::vector<float> initial_improvement_weights(const ImprovementShape& shape, double gain, uint64_t seed) {
    Stream stream(seed, Purpose::initial_weights);
    const auto draw = [&](int rows, int columns) {
        const double deviation = gain * std::sqrt(2.0 / (rows + columns));
        Eigen::MatrixXd block(rows, columns);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) block(i, j) = deviation * stream.normal();
        return block;
    };
    EffectiveBlocks blocks;
    blocks.P12 = draw(shape.context(), shape.query());
    blocks.V21 = draw(shape.outputs(), shape.context());
    return weights_of<float>(shape, blocks);
}

TeacherMimicking::TeacherMimicking(const TeacherMimickingOptions& options, uint64_t seed)
    : options_(options),
      seed_(seed),
      weights_(initial_improvement_weights(options.shape, options.initial_gain, seed)),
      initial_(weights_),
      adam_(weights_.size()),
      block_(make_improvement_block<float>(options.shape)),
      agent_(options.shape, options.agent),
      prompt_(options.shape) {}

double TeacherMimicking::learning_rate() const {
    return options_.adam.learning_rate *
           std::pow(options_.rate_decay, static_cast<double>(mdp() / options_.decay_every));
}

void TeacherMimicking::enter_mdp() {
    task_index_ = mdp();
    task_ = random_improvement_task(options_.shape.sizes, seed_, static_cast<uint32_t>(task_index_));
    agent_.begin(task_);
}

void TeacherMimicking::update() {
    if (diverged_) return;
    const auto frame = static_cast<uint32_t>(updates_ % options_.frames);
    if (task_index_ != mdp()) enter_mdp();
    // One stream per window, so that the number of updates gives the position in the streams.
    Stream stream(seed_, Purpose::trajectory, static_cast<uint32_t>(task_index_), frame);
    if (frame == 0) agent_.draw_state(stream);
    agent_.collect(stream, prompt_);
    apply(prompt_.view());
    if (!diverged_) agent_.improve(prompt_.teacher.data());
}

void TeacherMimicking::apply(const PromptView<float>& prompt) {
    const double rate = learning_rate();
    const AdamOptions& adam = options_.adam;
    const auto steps = static_cast<double>(adam_.steps + 1);
    const AdamStep<float> step{adam_.first_moment.data(),
                               adam_.second_moment.data(),
                               static_cast<float>(adam.beta1),
                               static_cast<float>(adam.beta2),
                               static_cast<float>(adam.epsilon),
                               static_cast<float>(rate / (1.0 - std::pow(adam.beta1, steps))),
                               static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(adam.beta2, steps)))};
    const auto loss = static_cast<double>(block_->train(weights_.data(), prompt, step));
    double zero = 0.0;
    for (int k = 0; k < options_.shape.outputs(); ++k)
        zero += 0.5 * static_cast<double>(prompt.teacher[k]) * static_cast<double>(prompt.teacher[k]);
    if (!std::isfinite(loss)) {
        diverged_ = true;
        return;
    }
    ++adam_.steps;
    ++updates_;
    rate_sum_ += rate;
    loss_sum_ += loss;
    zero_sum_ += zero;
    ++loss_count_;
}

TeacherMimicking::Losses TeacherMimicking::take_mean_losses() {
    const auto count = static_cast<double>(loss_count_);
    const Losses means = loss_count_ == 0 ? Losses{kMissing, kMissing} : Losses{loss_sum_ / count, zero_sum_ / count};
    loss_sum_ = zero_sum_ = 0.0;
    loss_count_ = 0;
    return means;
}

void TeacherMimicking::state(Archive& archive) {
    archive("weights", weights_);
    archive("adam", adam_);
    archive("sums", rate_sum_, loss_sum_, zero_sum_);
    // The teacher's parameters and state, if an MDP has started.
    std::vector<float> agent(options_.shape.outputs(), 0.0F);
    // A load that fails half-way may have set the MDP before the teacher has parameters.
    const Eigen::VectorXf& parameters = agent_.parameters();
    if (task_index_ >= 0 && parameters.size() == options_.shape.outputs())
        agent.assign(parameters.begin(), parameters.end());
    int agent_state = agent_.state();
    archive("teacher", agent);
    archive("progress", updates_, diverged_, loss_count_, task_index_, agent_state);
    archive.require(updates_ >= 0 && loss_count_ >= 0 && task_index_ >= -1 && agent_state >= 0 &&
                        agent_state < options_.shape.sizes.num_states,
                    "progress", "is not updates, a flag, a count, an MDP and a state");
    if (!archive.loads() || task_index_ < 0) return;
    task_ = random_improvement_task(options_.shape.sizes, seed_, static_cast<uint32_t>(task_index_));
    agent_.begin(task_);
    agent_.set_parameters(Eigen::Map<const Eigen::VectorXf>(agent.data(), options_.shape.outputs()));
    agent_.set_state(agent_state);
}

}  // namespace emergence
