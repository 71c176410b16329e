#include "core/measures/held_out_windows.h"

#include <algorithm>

namespace emergence {
namespace {

double half_squared_distance(const float* a, const float* b, int size) {
    double sum = 0;
    for (int k = 0; k < size; ++k) {
        const double difference = static_cast<double>(a[k]) - static_cast<double>(b[k]);
        sum += 0.5 * difference * difference;
    }
    return sum;
}

}  // namespace

HeldOutWindows::HeldOutWindows(const ImprovementShape& shape, const AgentOptions& agent_options, int frames,
                               uint64_t seed, int mdps, int per_mdp)
    : shape_(shape) {
    const int kept = std::min(per_mdp, frames);
    ImprovementPrompt<float> prompt(shape);
    for (int i = 0; i < mdps; ++i) {
        const auto index = static_cast<uint32_t>(i);
        const ImprovementTask task = random_improvement_task(shape.sizes, seed, index);
        PolicyAgent<float> agent(shape, agent_options);
        agent.begin(task);
        int next = 0;
        for (int frame = 0; next < kept; ++frame) {
            Stream stream(seed, Purpose::trajectory, index, static_cast<uint32_t>(frame));
            if (frame == 0) agent.draw_state(stream);
            agent.collect(stream, prompt);
            agent.improve(prompt.teacher.data());
            if (frame != (2 * next + 1) * frames / (2 * kept)) continue;
            windows_.push_back(prompt);
            ++next;
        }
    }
}

double HeldOutWindows::loss(const std::vector<float>& weights) const {
    const auto block = make_improvement_block<float>(shape_);
    std::vector<float> update(shape_.outputs());
    double sum = 0;
    for (const ImprovementPrompt<float>& window : windows_) {
        block->forward(weights.data(), window.view(), update.data());
        sum += half_squared_distance(update.data(), window.teacher.data(), shape_.outputs());
    }
    return sum / static_cast<double>(windows_.size());
}

double HeldOutWindows::loss_of_no_update() const {
    const std::vector<float> nothing(shape_.outputs());
    double sum = 0;
    for (const ImprovementPrompt<float>& window : windows_)
        sum += half_squared_distance(nothing.data(), window.teacher.data(), shape_.outputs());
    return sum / static_cast<double>(windows_.size());
}

}  // namespace emergence
