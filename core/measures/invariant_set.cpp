#include "core/measures/invariant_set.h"

#include <array>
#include <cmath>
#include <map>

#include "core/base/ranges.h"

namespace emergence {
namespace {

// u_{efh} = G_ef x_h / n of a prompt.
Vec products_of(const Mat& Z, int d) {
    const auto rows = Z.rows(), n = Z.cols() - 1;
    const auto context = Z.leftCols(n);
    const Mat gram = context * context.transpose() / static_cast<double>(n);
    const Vec query = Z.col(n).head(d);
    Vec u(rows * rows * d);
    for (Index e = 0; e < rows; ++e)
        for (Index f = 0; f < rows; ++f) u.segment((e * rows + f) * d, d) = gram(e, f) * query;
    return u;
}

// ---- orbits of index tuples

// The number of an orbit of rows of Z, in the order of first occurrence; -1 if a feature occurs an odd number of times.
// Blocks of rows: 0 phi, 1 gamma phi', 2 R, which has no feature. An orbit's name: its blocks, and its features numbered
// in the order of their first occurrence.
int orbit_number(const std::vector<int>& rows, int d, std::map<int64_t, int>& known) {
    std::vector<int> label(d, -1), occurs(d, 0);
    int next = 0;
    int64_t name = 0;
    for (const int row : rows) {
        int shown = 0;
        if (row < 2 * d) {
            if (label[row % d] < 0) label[row % d] = next++;
            shown = label[row % d];
            ++occurs[row % d];
        }
        name = (name * 3 + row / d) * 8 + shown;
    }
    if (any_of(occurs, [](int times) { return times % 2 != 0; })) return -1;
    return known.emplace(name, static_cast<int>(known.size())).first->second;
}

// Replaces each entry by the mean of its orbit, or by 0 for orbit -1.
void average_orbits(const std::vector<int>& orbit, double* entries) {
    std::vector<double> sum(1 + *std::max_element(orbit.begin(), orbit.end()), 0.0), count = sum;
    for (size_t i = 0; i < orbit.size(); ++i)
        if (orbit[i] >= 0) {
            sum[orbit[i]] += entries[i];
            count[orbit[i]] += 1.0;
        }
    for (size_t k = 0; k < sum.size(); ++k) sum[k] /= count[k];
    for (size_t i = 0; i < orbit.size(); ++i) entries[i] = orbit[i] < 0 ? 0.0 : sum[orbit[i]];
}

}  // namespace

// ---- the set

WeightUpdate invariant_weights(int d, const InvariantPoint& point) {
    const int rows = 2 * d + 1;
    WeightUpdate weights{Mat::Zero(rows, rows), Mat::Zero(rows, rows)};
    weights.P(rows - 1, rows - 1) = point.eta;
    weights.Q.block(0, 0, d, d) = point.c * Mat::Identity(d, d);
    weights.Q.block(d, 0, d, d) = point.c_prime * Mat::Identity(d, d);
    return weights;
}

InvariantPoint nearest_invariant_point(const WeightUpdate& weights) {
    const auto rows = weights.P.rows(), d = (rows - 1) / 2;
    const auto mean = [&](Index block) { return weights.Q.block(block, 0, d, d).trace() / static_cast<double>(d); };
    return {weights.P(rows - 1, rows - 1), mean(0), mean(d)};
}

double share_outside_invariant_set(const WeightUpdate& weights) {
    const auto d = static_cast<int>((weights.P.rows() - 1) / 2);
    const WeightUpdate inside = invariant_weights(d, nearest_invariant_point(weights));
    return std::sqrt(((weights.P - inside.P).squaredNorm() + (weights.Q - inside.Q).squaredNorm()) /
                     (weights.P.squaredNorm() + weights.Q.squaredNorm()));
}

// ---- expected updates

UpdateSample update_sample(const InvariantSetOptions& options, uint64_t seed, uint32_t number) {
    const int d = options.tasks.d, n = options.n;
    const auto task = make_task(options.tasks);
    task->draw(seed, number);
    Stream stream(seed, Purpose::trajectory, number);
    const int start = static_cast<int>(stream.uniform() * (options.latest_start + 1));
    task->start(stream);
    for (int t = 0; t < start; ++t) task->step(stream);
    Mat rows(d + 1, n + 3);  // phi(S_t), R_{t+1} from t = start on
    for (int t = 0; t < n + 3; ++t, task->step(stream)) rows.col(t) = ConstMatView::column(task->row(), d + 1);
    const auto prompt = [&](int first) {
        const Transitions context{rows.block(0, first, d, n), options.tasks.gamma * rows.block(0, first + 1, d, n),
                                  rows.row(d).segment(first, n).transpose()};
        return td_prompt(context, rows.col(first + n + 1).head(d));
    };
    return {rows(d, n + 1), prompt(0), prompt(1)};
}

UpdateMoments update_moments(const InvariantSetOptions& options, uint64_t seed, uint32_t first) {
    const int d = options.tasks.d, size = (2 * d + 1) * (2 * d + 1) * d;
    Mat u(size, options.samples), difference = u;
    Vec rewards(options.samples);
    for (int k = 0; k < options.samples; ++k) {
        const UpdateSample sample = update_sample(options, seed, first + static_cast<uint32_t>(k));
        u.col(k) = products_of(sample.Z, d);
        difference.col(k) = u.col(k) - options.tasks.gamma * products_of(sample.Z_next, d);
        rewards[k] = sample.reward;
    }
    const double count = options.samples;
    return {d, u * rewards / count, u * difference.transpose() / count};
}

WeightUpdate expected_update(const UpdateMoments& moments, const WeightUpdate& weights) {
    const int d = moments.d, rows = 2 * d + 1;
    const auto p = weights.P.row(rows - 1);
    const auto Q = weights.Q.leftCols(d);
    Vec s(rows * rows * d);  // s_{efh} = P[-1,e] Q[f,h], so that TF = -s' u
    for (int e = 0; e < rows; ++e)
        for (int f = 0; f < rows; ++f) s.segment((e * rows + f) * d, d) = p[e] * Q.row(f).transpose();
    const Vec t = moments.reward + moments.values * s;  // E[(R + gamma TF(Z') - TF(Z)) u]
    WeightUpdate update{Mat::Zero(rows, rows), Mat::Zero(rows, rows)};
    for (int e = 0; e < rows; ++e)
        for (int f = 0; f < rows; ++f) {
            const auto of_h = t.segment((e * rows + f) * d, d);
            update.P(rows - 1, e) -= of_h.dot(Q.row(f));
            update.Q.row(f).head(d) -= p[e] * of_h.transpose();
        }
    return update;
}

// ---- averages over feature maps

FeatureAverage::FeatureAverage(int d) {
    std::map<int64_t, int> rewards, values;
    std::vector<std::array<int, 3>> entries;  // of u
    for (int e = 0; e <= 2 * d; ++e)
        for (int f = 0; f <= 2 * d; ++f)
            for (int h = 0; h < d; ++h) entries.push_back({e, f, h});
    for (const auto& [e, f, h] : entries) reward_orbit_.push_back(orbit_number({e, f, h}, d, rewards));
    for (const auto& column : entries)  // column by column, as matrices are stored
        for (const auto& row : entries)
            value_orbit_.push_back(orbit_number({row[0], row[1], row[2], column[0], column[1], column[2]}, d, values));
}

UpdateMoments FeatureAverage::operator()(const UpdateMoments& moments) const {
    UpdateMoments averaged = moments;
    average_orbits(reward_orbit_, averaged.reward.data());
    average_orbits(value_orbit_, averaged.values.data());
    return averaged;
}

}  // namespace emergence
