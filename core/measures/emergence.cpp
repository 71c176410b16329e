#include "core/measures/emergence.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

BlockSizes block_sizes(const Table& matrix, double largest) {
    const int d = (matrix.rows - 1) / 2;
    const auto block_of = [d](int i) { return static_cast<size_t>(i < 2 * d ? i / d : i - 2 * d + 2); };
    BlockSizes sums{}, counts{};
    for (int i = 0; i < matrix.rows; ++i)
        for (int j = 0; j < matrix.rows; ++j) {
            const bool is_square = i < 2 * d && j < 2 * d;
            if (is_square && i % d != j % d) continue;
            sums[block_of(i)][block_of(j)] += is_square ? matrix(i, j) : std::abs(matrix(i, j));
            counts[block_of(i)][block_of(j)] += largest;
        }
    for (size_t a = 0; a < sums.size(); ++a)
        for (size_t b = 0; b < sums.size(); ++b)
            if (counts[a][b] > 0) sums[a][b] = std::abs(sums[a][b]) / counts[a][b];
    return sums;
}

// All but the means. P counts from row `first` to the corner's.
ElementWise elements_of(const Table& P, const Table& Q, int d, int first, int corner) {
    ElementWise e;
    e.sign = P(corner, corner) < 0 ? -1.0 : 1.0;
    e.p_corner = e.sign * P(corner, corner);
    for (int i = 0; i < d; ++i) {
        e.q_trace_upper_left += e.sign * Q(i, i);
        e.q_trace_upper_right += e.sign * Q(i, d + i);
        e.q_trace_lower_left += e.sign * Q(d + i, i);
        e.q_trace_lower_right += e.sign * Q(d + i, d + i);
    }
    for (int i = first; i <= corner; ++i)
        for (int j = 0; j < P.columns; ++j) e.p_largest = larger(e.p_largest, std::abs(P(i, j)));
    for (const double q : Q.values) e.q_largest = larger(e.q_largest, std::abs(q));
    e.p_blocks = block_sizes(P, e.p_largest);
    e.q_blocks = block_sizes(Q, e.q_largest);
    return e;
}

void need(std::vector<Lack>& lacks, const char* what, double value, double needed, bool more = true) {
    if (!(more ? value > needed : value < needed)) lacks.push_back({what, value, needed, more});
}

// The largest block that can be seen where theory has a zero.
template <class IsZero>
void need_zeros(std::vector<Lack>& lacks, const char* matrix, const BlockSizes& sizes, IsZero is_zero) {
    static constexpr const char* kBlocks[] = {"\u03c6", "\u03b3\u03c6'", "R", "the memory"};
    double largest = kVisibleBlock;
    std::string what;
    for (size_t a = 0; a < sizes.size(); ++a)
        for (size_t b = 0; b < sizes.size(); ++b)
            if (is_zero(a, b) && !(sizes[a][b] < largest)) {
                largest = sizes[a][b];
                what = fmt::format("{}'s block of {} and {}", matrix, kBlocks[a], kBlocks[b]);
            }
    if (!what.empty()) lacks.push_back({what, largest, kVisibleBlock, false});
}

constexpr size_t kReward = 2, kMemory = 3;

// Theory has an entry of P at the corner, and squares in the first rows of Q. One layer reads no more of Q than columns
// of phi; one layer or head no more of P than the corner's row.
void need_zeros(std::vector<Lack>& lacks, const ElementWise& e, size_t corner, size_t rows_of_Q, bool one_layer,
                bool one_row) {
    need_zeros(lacks, "P", e.p_blocks, [&](size_t a, size_t b) { return a == corner ? b != corner : !one_row; });
    need_zeros(lacks, "Q", e.q_blocks,
               [&](size_t a, size_t b) { return (a >= rows_of_Q || b > 1) && (b == 0 || !one_layer); });
}

// The conditions on theory's own blocks that do not hold.
std::vector<Lack> lacks_of_theory(const ElementWise& e, int d, int num_layers) {
    if (!(e.q_largest > 0)) return {{"Q is zero"}};
    std::vector<Lack> lacks;
    if (e.p_corner < e.p_largest)
        lacks.push_back({"P's bottom-right entry, which must be its largest,", e.p_corner, e.p_largest});
    need(lacks, "the trace of Q's upper-left block", e.q_trace_upper_left / e.q_largest, -d / 2.0, false);
    if (num_layers > 1) need(lacks, "the trace of Q's upper-right block", e.q_trace_upper_right / e.q_largest, d / 4.0);
    return lacks;
}

}  // namespace

ElementWise element_wise(const Table& P, const Table& Q) {
    check(P.rows == P.columns && Q.rows == P.rows && Q.columns == P.rows && P.rows % 2 == 1,
          "P and Q are (2d+1) x (2d+1)");
    const int rows = P.rows, d = (rows - 1) / 2;
    ElementWise e = elements_of(P, Q, d, 0, rows - 1);
    double p_sum = 0, q_sum = 0;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j) {
            if (i != rows - 1 || j != rows - 1) p_sum += std::abs(P(i, j));
            const bool in_trace = i < d && (j == i || j == d + i);
            if (!in_trace) q_sum += std::abs(Q(i, j));
        }
    e.p_others = p_sum / (rows * rows - 1);
    e.q_others = q_sum / (rows * rows - 2 * d);
    return e;
}

std::vector<Lack> lacks_to_emerge(const ElementWise& e, int d, int num_layers, bool residual) {
    std::vector<Lack> lacks = lacks_of_theory(e, d, num_layers);
    if (!(e.q_largest > 0)) return lacks;
    if (residual) need(lacks, "the trace of Q's lower-left block", e.q_trace_lower_left / e.q_largest, d / 4.0);
    if (residual && num_layers > 1)
        need(lacks, "the trace of Q's middle block", e.q_trace_lower_right / e.q_largest, -d / 4.0, false);
    need_zeros(lacks, e, kReward, residual ? 2 : 1, num_layers == 1, num_layers == 1);
    return lacks;
}

ElementWise head_elements(const Table& P, const Table& Q, bool reward_head) {
    check(P.rows % 2 == 0 && Q.rows == P.rows, "P and Q are (2d+2) x (2d+2)");
    const int row = reward_head ? P.rows - 2 : P.rows - 1;
    return elements_of(P, Q, P.rows / 2 - 1, row, row);
}

std::vector<Lack> lacks_to_emerge_heads(const ElementWise& reward, const ElementWise& memory, int d, int num_layers) {
    const auto of_head = [&](const char* head, const ElementWise& e, size_t row) -> std::vector<Lack> {
        if (!(e.p_corner > 0) || e.p_corner < e.p_largest)
            return {{fmt::format("{} head: P's entry for the {}", head, head), e.p_corner, e.p_largest}};
        std::vector<Lack> lacks = lacks_of_theory(e, d, num_layers);
        if (e.q_largest > 0) need_zeros(lacks, e, row, 1, num_layers == 1, true);
        for (Lack& lack : lacks) lack.what = fmt::format("{} head: {}", head, lack.what);
        return lacks;
    };
    const std::vector<Lack> lacks = of_head("reward", reward, kReward);
    return lacks.empty() && num_layers > 1 ? of_head("memory", memory, kMemory) : lacks;
}

namespace {

constexpr double kEpsilon = 1e-8;

double a_emergence(const Mat& block) {
    const auto d = static_cast<double>(block.rows());
    double on_diagonal = 0.0, mass = 0.0;
    for (Index j = 0; j < block.cols(); ++j) {
        const double norm = block.col(j).cwiseAbs().sum() + kEpsilon;
        on_diagonal += std::abs(block(j, j)) / norm;
        mass += block.col(j).cwiseAbs().sum() / norm;
    }
    const Vec q = block.diagonal();
    const double mean = q.mean(), deviation = std::sqrt(q.cwisePlus(-mean).squaredNorm() / d);
    return on_diagonal / (mass + kEpsilon) / (1.0 + deviation / (std::abs(mean) + kEpsilon));
}

}  // namespace

SoftmaxEmergence softmax_emergence(const float* weights, int d) {
    const int D = d + 3;
    const Vec row = Vec::from_floats(weights + D * (D - 1), D);  // the last of P
    const Mat block = Mat::from_floats(weights + D * D, D, D).topLeftCorner(d, d);
    SoftmaxEmergence e{};
    e.reward = row[d];
    e.bootstrap = row[d + 1];
    e.current = row[d + 2];
    e.others = row.head(d).cwiseAbs().mean();
    e.q_mean = block.diagonal().mean();
    const double off = block.cwiseAbs().sum() - block.cwiseAbs().diagonal().sum();
    e.q_others = d == 1 ? 0.0 : off / (d * (d - 1));
    const auto sizes = {std::abs(e.reward), std::abs(e.bootstrap), std::abs(e.current)};
    const bool signs = e.reward_lamp() && e.bootstrap_lamp() && e.current_lamp();
    e.v_emergence = signs ? smaller(sizes) / (larger(sizes) + kEpsilon) : 0.0;
    e.a_emergence = a_emergence(block);
    return e;
}

namespace {

constexpr int kMostSweeps = 100;
constexpr double kNoTurn = 1e-14;

// cos and sin of the rotation of the plane (p, q) that minimises the sum over matrices of M_pq^2. Its angle is half
// that of the leading eigenvector of sum h h', where
//
//     h = (M_pp - M_qq, 2 M_pq)
std::pair<double, double> rotation(const std::vector<Mat>& matrices, Index p, Index q) {
    double difference = 0, cross = 0;
    for (const Mat& M : matrices) {
        const double h1 = M(p, p) - M(q, q), h2 = 2 * M(p, q);
        difference += h1 * h1 - h2 * h2;
        cross += h1 * h2;
    }
    // The eigenvector has twice the rotation's angle, and atan2 gives twice the eigenvector's angle.
    const double angle = 0.25 * std::atan2(2 * cross, difference);
    return {std::cos(angle), std::sin(angle)};
}

// Rotates two rows or columns in place: a becomes c a + s b, and b becomes c b - s a.
void turn(MatView a, MatView b, double c, double s) {
    for (Index k = 0; k < a.size(); ++k) {
        const double old = a[k];
        a[k] = c * old + s * b[k];
        b[k] = c * b[k] - s * old;
    }
}

}  // namespace

double identity_distance(const Mat& M) {
    const double norm = M.norm();
    if (!(norm > 0)) return 1.0;
    const double a = M.trace() / static_cast<double>(M.rows());
    return (M - a * Mat::Identity(M.rows(), M.cols())).norm() / norm;
}

double error_after_scaling(const Mat& M, const Mat& target) {
    const double square = M.squaredNorm();
    if (!(square > 0)) return 1.0;
    const double a = M.cwiseProduct(target).sum() / square;
    return (a * M - target).norm() / target.norm();
}

double preconditioner_power(const Mat& M, const Vec& eigenvalues) {
    const Vec diagonal = M.diagonal(), logarithms = eigenvalues.cwiseLog();
    const bool one_sign = diagonal.minCoeff() > 0 || diagonal.maxCoeff() < 0;
    const Vec across = logarithms.cwisePlus(-logarithms.mean());
    const double spread = across.squaredNorm();
    if (!one_sign || !(spread > 1e-12)) return kMissing;
    return -across.dot(diagonal.cwiseAbs().cwiseLog()) / spread;
}

JointDiagonalisation diagonalise_jointly(std::vector<Mat> matrices) {
    check(!matrices.empty(), "something to diagonalise");
    const Index d = matrices.front().rows();
    JointDiagonalisation result;
    result.basis = Mat::Identity(d, d);
    bool turned = true;
    for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
        turned = false;
        for (Index p = 0; p < d; ++p)
            for (Index q = p + 1; q < d; ++q) {
                const auto [c, s] = rotation(matrices, p, q);
                if (std::abs(s) <= kNoTurn) continue;
                turned = true;
                for (Mat& M : matrices) {
                    turn(M.col(p), M.col(q), c, s);
                    turn(M.row(p), M.row(q), c, s);
                }
                turn(result.basis.col(p), result.basis.col(q), c, s);
            }
    }
    double off = 0, all = 0;
    for (const Mat& M : matrices) {
        all += M.squaredNorm();
        off += M.squaredNorm() - M.diagonal().squaredNorm();
    }
    result.off_diagonal_mass = all > 0 ? larger(0.0, off / all) : 0.0;
    result.matrices = std::move(matrices);
    return result;
}

}  // namespace emergence
