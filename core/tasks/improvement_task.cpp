#include "core/tasks/improvement_task.h"

namespace emergence {

namespace {

// Sub-stream of an agent's first parameters; sub-stream 0 draws those of a network.
constexpr uint32_t kAgentStart = 1;

Eigen::MatrixXd uniform_rows(Stream& stream, int rows, int columns) {
    Eigen::MatrixXd values(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) values(i, j) = stream.uniform(-1.0, 1.0);
    return values;
}

}  // namespace

ImprovementTask random_improvement_task(const ImprovementSizes& sizes, uint64_t seed, uint32_t index) {
    ImprovementTask task;
    task.mdp = random_mdp(sizes.num_states, sizes.num_actions, seed, index);
    const int pairs = sizes.num_states * sizes.num_actions;
    Stream value(seed, Purpose::features, index, 0), policy(seed, Purpose::features, index, 1);
    task.value_features =
        uniform_rows(value, sizes.algorithm == Improvement::sarsa ? pairs : sizes.num_states, sizes.d);
    task.policy_features = uniform_rows(policy, pairs, sizes.m);
    Stream start(seed, Purpose::initial_weights, index, kAgentStart);
    task.start = uniform_rows(start, sizes.parameters(), 1);
    return task;
}

template <class T>
ImprovementPrompt<T>::ImprovementPrompt(const ImprovementShape& shape)
    : n(shape.n),
      stride(padded_row(shape.context())),
      X(static_cast<size_t>(n) * static_cast<size_t>(stride), T(0)),
      query(static_cast<size_t>(shape.query()), T(0)),
      teacher(static_cast<size_t>(shape.outputs()), T(0)) {}

template struct ImprovementPrompt<float>;
template struct ImprovementPrompt<double>;

Eigen::MatrixXd dense_prompt(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt) {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(shape.rows(), shape.n + 1);
    for (int i = 0; i < shape.n; ++i)
        for (int k = 0; k < shape.context(); ++k) H(k, i) = prompt.row(i)[k];
    for (int k = 0; k < shape.query(); ++k) H(shape.context() + k, shape.n) = prompt.query[k];
    return H;
}

}  // namespace emergence
