#include <cmath>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/models/network_windows.h"
#include "core/models/softmax_td_layer.h"
#include "core/models/softmax_td_windows.h"
#include "core/tasks/task.h"

namespace emergence {

namespace {

void normalise_columns(Mat& A) {
    for (Index j = 0; j < A.cols(); ++j) {
        A.col(j) = A.col(j).cwisePlus(-A.col(j).maxCoeff()).cwiseExp();
        A.col(j) /= A.col(j).sum();
    }
}

// With Q = sharpness diag(I, 0) the scores are inner products, so |x_i - x_j|^2 follows from three of them.
Mat rbf_of(const Mat& scores) {
    const Vec squares = scores.diagonal();
    Mat A(scores.rows(), scores.cols());
    for (Index j = 0; j < A.cols(); ++j)
        for (Index i = 0; i < A.rows(); ++i) A(i, j) = std::exp(scores(i, j) - 0.5 * (squares[i] + squares[j]));
    return A;
}

}  // namespace

SoftmaxTdWeights softmax_td_construction(int d, double step, double sharpness) {
    SoftmaxTdWeights weights{Mat::Zero(d + 3, d + 3), Mat::Zero(d + 3, d + 3)};
    weights.P.row(d + 2).tail(3) = Vec::of({step, step, -step}).transpose();
    weights.Q.topLeftCorner(d, d) = sharpness * Mat::Identity(d, d);
    return weights;
}

Mat softmax_td_prompt(const Mat& features, const Vec& rewards) {
    const auto d = features.rows(), n = rewards.size();
    Mat Z = Mat::Zero(d + 3, n + 1);
    Z.topRows(d) = features;
    Z.row(d).head(n) = rewards.transpose();
    return Z;
}

Mat attention_kernel(const Mat& Z, const Mat& Q, const KernelOptions& options) {
    const auto n = Z.cols() - 1, sources = options.mask_query ? n : n + 1;
    const Mat scores = Z.transpose() * Q * Z / options.temperature;
    Mat A = scores.topRows(sources);
    if (options.kernel == ScoreKernel::relu) A = A.unaryExpr([](double s) { return s < 0 ? 0.0 : s; });
    if (options.kernel == ScoreKernel::elu) A = A.unaryExpr([](double s) { return s > 0 ? s : std::expm1(s); });
    if (options.kernel == ScoreKernel::rbf) A = rbf_of(scores).topRows(sources);
    if (options.kernel == ScoreKernel::softmax)
        normalise_columns(A);
    else
        A /= static_cast<double>(n);
    Mat kernel = Mat::Zero(n + 1, n + 1);
    kernel.topRows(sources) = A;
    // No mixing in the query's column: it would read the query's own column, which is masked.
    kernel.leftCols(n) *= 1.0 - options.mixing;
    kernel.topLeftCorner(n, n).diagonal() += options.mixing;
    return kernel;
}

Mat left_shift(int n) {
    Mat S = Mat::Zero(n + 1, n + 1);
    for (int j = 0; j < n; ++j) S(j + 1, j) = 1.0;
    return S;
}

Mat dual_head_layer(const Mat& Z, const SoftmaxTdWeights& weights, double gamma, const KernelOptions& options) {
    const auto D = Z.rows();
    const Mat current = weights.P * Z * attention_kernel(Z, weights.Q, options);
    Mat next = Z + current;
    const Mat shifted = current * left_shift(static_cast<int>(Z.cols()) - 1);
    next.row(D - 2) += gamma * shifted.row(D - 1);
    return next;
}

Mat temporal_shift_layer(const Mat& Z, const SoftmaxTdWeights& weights, double gamma, const KernelOptions& options,
                         bool shift) {
    const auto D = Z.rows(), n = Z.cols() - 1;
    Mat next = Z + weights.P * Z * attention_kernel(Z, weights.Q, options);
    if (!shift) return next;
    next.row(D - 2).head(n) = gamma * next.row(D - 1).tail(n);
    next(D - 2, n) = 0.0;
    return next;
}

namespace {

template <class T>
using RowMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
RowMatrix<T> features_of(const StateFeatures<T>& states) {
    return Eigen::Map<const RowMatrix<T>>(states.rows.data(), states.num_states, states.d + 1);
}

template <class T>
RowMatrix<T> as_query(RowMatrix<T> features) {
    features.rightCols(1).setZero();
    return features;
}

}  // namespace

StateFeatures<float> state_features(const Mrp& mrp) {
    StateFeatures<float> states{mrp.num_states(), mrp.d(), {}};
    for (int s = 0; s < mrp.num_states(); ++s) {
        for (int i = 0; i < mrp.d(); ++i) states.rows.push_back(static_cast<float>(mrp.features(i, s)));
        states.rewards.push_back(static_cast<float>(mrp.reward[s]));
        states.rows.push_back(states.rewards.back());
    }
    return states;
}

template <class T>
void softmax_td_tables(const StateFeatures<T>& states, const T* weights, T temperature, T* tables) {
    const int m = states.num_states, E = states.d + 1, D = E + 2;
    const SoftmaxTdTables at{m};
    const Eigen::Map<const RowMatrix<T>> P(weights, D, D);
    const RowMatrix<T> Q = Eigen::Map<const RowMatrix<T>>(weights + D * D, D, D) / temperature;
    const RowMatrix<T> X = features_of(states), query = as_query(X);
    const auto table = [&](int offset) { return Eigen::Map<RowMatrix<T>>(tables + offset, m, m); };
    const auto row = [&](int offset) { return Eigen::Map<Vector<T>>(tables + offset, m); };
    const RowMatrix<T> sources = X * Q.topLeftCorner(E, E);  // m x E: x~' Q
    table(at.score()).noalias() = X * sources.transpose();
    table(at.query_score()).noalias() = query * sources.transpose();
    row(at.written()).noalias() = X * P.row(D - 1).head(E).transpose();
    row(at.source_target()).noalias() = X * Q.col(E).head(E);
    row(at.source_current()).noalias() = X * Q.col(E + 1).head(E);
    row(at.column_target()).noalias() = X * Q.row(E).head(E).transpose();
    row(at.column_current()).noalias() = X * Q.row(E + 1).head(E).transpose();
    row(at.query_target()).noalias() = query * Q.row(E).head(E).transpose();
    row(at.query_current()).noalias() = query * Q.row(E + 1).head(E).transpose();
    tables[at.target()] = P(D - 1, E);
    tables[at.current()] = P(D - 1, E + 1);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) tables[at.memory() + 2 * i + j] = Q(E + i, E + j);
}

template <class T>
void softmax_td_weight_gradient(const StateFeatures<T>& states, const T* table_gradient, T temperature,
                                T* weight_gradient) {
    const int m = states.num_states, E = states.d + 1, D = E + 2;
    const SoftmaxTdTables at{m};
    Eigen::Map<RowMatrix<T>> dP(weight_gradient, D, D), dQ(weight_gradient + D * D, D, D);
    const RowMatrix<T> X = features_of(states), query = as_query(X);
    const auto table = [&](int offset) { return Eigen::Map<const RowMatrix<T>>(table_gradient + offset, m, m); };
    const auto row = [&](int offset) { return Eigen::Map<const Vector<T>>(table_gradient + offset, m); };
    dP.setZero();
    dP.row(D - 1).head(E) = (X.transpose() * row(at.written())).transpose();
    dP(D - 1, E) = table_gradient[at.target()];
    dP(D - 1, E + 1) = table_gradient[at.current()];
    // score[column][source] = x~_source' Q x~_column:  dQ = sum x~_source x~_column' dscore[column][source]
    const RowMatrix<T> columns = table(at.score()).transpose() * X + table(at.query_score()).transpose() * query;
    dQ.topLeftCorner(E, E).noalias() = X.transpose() * columns;
    dQ.col(E).head(E) = X.transpose() * row(at.source_target());
    dQ.col(E + 1).head(E) = X.transpose() * row(at.source_current());
    dQ.row(E).head(E) =
        (X.transpose() * row(at.column_target()) + query.transpose() * row(at.query_target())).transpose();
    dQ.row(E + 1).head(E) =
        (X.transpose() * row(at.column_current()) + query.transpose() * row(at.query_current())).transpose();
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) dQ(E + i, E + j) = table_gradient[at.memory() + 2 * i + j];
    dQ /= temperature;
}

template void softmax_td_tables(const StateFeatures<float>&, const float*, float, float*);
template void softmax_td_tables(const StateFeatures<double>&, const double*, double, double*);
template void softmax_td_weight_gradient(const StateFeatures<float>&, const float*, float, float*);
template void softmax_td_weight_gradient(const StateFeatures<double>&, const double*, double, double*);

// See softmax_td_windows_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> SoftmaxTdWindows<T>* make_softmax_td_windows(const SoftmaxTdShape&);)

template <class T>
std::unique_ptr<SoftmaxTdWindows<T>> make_softmax_td_windows(const SoftmaxTdShape& shape, InstructionSet set) {
    check(shape.num_states >= 1, "number of states");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.context_length >= 1 && shape.batch >= 1, "context length and minibatch size");
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_softmax_td_windows<T>(shape)));
}
template std::unique_ptr<SoftmaxTdWindows<float>> make_softmax_td_windows(const SoftmaxTdShape&, InstructionSet);
template std::unique_ptr<SoftmaxTdWindows<double>> make_softmax_td_windows(const SoftmaxTdShape&, InstructionSet);

}  // namespace emergence
