#include "core/models/softmax_td_windows.h"

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/linear_algebra.h"
#include "core/models/network_shape.h"

namespace emergence {

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

namespace {
void check_softmax_td_shape(const SoftmaxTdShape& shape) {
    check(shape.num_states >= 1, "number of states");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.context_length >= 1 && shape.batch >= 1, "context length and minibatch size");
}
}  // namespace

template <class T>
std::unique_ptr<SoftmaxTdWindows<T>> make_softmax_td_windows(const SoftmaxTdShape& shape, InstructionSet set) {
    check_softmax_td_shape(shape);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_softmax_td_windows<T>(shape)));
}
template std::unique_ptr<SoftmaxTdWindows<float>> make_softmax_td_windows(const SoftmaxTdShape&, InstructionSet);
template std::unique_ptr<SoftmaxTdWindows<double>> make_softmax_td_windows(const SoftmaxTdShape&, InstructionSet);

}  // namespace emergence
