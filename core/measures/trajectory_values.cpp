#include "core/measures/trajectory_values.h"

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/measures/implicit_weights.h"
#include "core/measures/network_evaluator.h"
#include "core/models/network_windows.h"

namespace emergence {
namespace {

constexpr int kGroup = 16;  // contexts per group, see GramBank

}  // namespace

TrajectoryValues::TrajectoryValues(const NetworkShape& shape, WatchedTrajectory trajectory, int stride)
    : shape_(shape),
      trajectory_(std::move(trajectory)),
      windows_(static_cast<int>(trajectory_.rows.size()) / (shape.d + 1) - shape.context_length - 1),
      groups_((windows_ + kGroup - 1) / kGroup),
      stride_(is_linear(shape) ? 1 : stride) {
    check(windows_ >= 1 && stride >= 1, "a trajectory longer than a prompt");
    const auto rows = static_cast<size_t>(2 * shape.d + 1);
    grams_.assign(static_cast<size_t>(groups_) * rows * rows * kGroup, 0.0F);
    if (trajectory_.average_reward) batch_td_grams_ = grams_;
    const int width = shape.d + 1, times = shape.context_length + 1;
    if (shape.is_masked()) states_.resize(static_cast<size_t>(groups_ * times * width * kGroup));
    for (int w = 0; w < windows_; ++w) {
        if (shape.is_masked())
            for (int k = 0; k < times * width; ++k)
                states_[static_cast<size_t>((w / kGroup * times * width + k) * kGroup + w % kGroup)] =
                    trajectory_.rows[static_cast<size_t>(w * width + k)];
        add_gram(w, false, grams_);
        if (trajectory_.average_reward) add_gram(w, true, batch_td_grams_);
    }
}

const float* TrajectoryValues::query(int window) const {
    return trajectory_.rows.data() + static_cast<size_t>((window + shape_.context_length + 1) * (shape_.d + 1));
}

void TrajectoryValues::add_gram(int window, bool centred, std::vector<float>& grams) const {
    const int d = shape_.d, rows = 2 * d + 1;
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(rows, rows);
    Eigen::VectorXd z(rows);
    double rewards = 0.0;
    for (int i = 0; i < shape_.context_length; ++i) {
        const float* row = trajectory_.rows.data() + static_cast<size_t>((window + i) * (d + 1));
        for (int k = 0; k < d; ++k) {
            z[k] = static_cast<double>(row[k]);
            z[d + k] = static_cast<double>(trajectory_.gamma) * static_cast<double>(row[d + 1 + k]);
        }
        rewards += static_cast<double>(row[d]);
        z[2 * d] = static_cast<double>(row[d]) - (centred ? rewards / (i + 1) : 0.0);
        gram.noalias() += z * z.transpose();
    }
    float* target = grams.data() + static_cast<size_t>(window / kGroup * rows * rows * kGroup + window % kGroup);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j) target[(i * rows + j) * kGroup] = static_cast<float>(gram(i, j));
}

std::vector<double> TrajectoryValues::values_of(const std::vector<float>& weights) const {
    std::vector<double> values;
    for (int w = 0; w < windows_; ++w) {
        const float* weight = weights.data() + static_cast<size_t>(w / kGroup * shape_.d * kGroup + w % kGroup);
        double value = 0.0;
        for (int k = 0; k < shape_.d; ++k)
            value += static_cast<double>(weight[k * kGroup]) * static_cast<double>(query(w)[k]);
        values.push_back(value);
    }
    return values;
}

std::vector<int> TrajectoryValues::network_windows() const {
    std::vector<int> windows;
    for (int w = 0; w < windows_; w += stride_) windows.push_back(w);
    return windows;
}

std::vector<double> TrajectoryValues::network(int layers, const std::vector<float>& weights) const {
    check(layers == shape_.layers || shares_layers(shape_), "layers beyond training share their weights");
    NetworkShape shape = shape_;
    shape.layers = layers;
    if (is_linear(shape)) {
        std::vector<float> implicit(groups_ * shape.d * kGroup);
        network_implicit_weights({grams_.data(), groups_, shape.d, shape.context_length, states_.data(),
                                  shape.context_length + 1, trajectory_.gamma},
                                 view_of(shape, weights), implicit.data());
        return values_of(implicit);
    }
    // Contexts overlap: that of window w starts at time w.
    const std::vector<int> contexts = network_windows();
    std::vector<float> queries;
    for (const int w : contexts) queries.insert(queries.end(), query(w), query(w) + shape.d);
    std::vector<float> values(contexts.size());
    make_network_prompts(shape)->run({trajectory_.rows.data(), shape.d + 1, contexts.data(), queries.data(),
                                      static_cast<int>(contexts.size()), trajectory_.gamma},
                                     weights.data(), values.data(), nullptr);
    return {values.begin(), values.end()};
}

std::vector<double> TrajectoryValues::batch_td(int layers, float alpha) const {
    std::vector<float> implicit(groups_ * shape_.d * kGroup);
    const std::vector<float>& grams = trajectory_.average_reward ? batch_td_grams_ : grams_;
    batch_td_weights({grams.data(), groups_, shape_.d, shape_.context_length}, layers, alpha, implicit.data());
    return values_of(implicit);
}

}  // namespace emergence
