// One algorithm of the family (families.h) on one context in lanes of sixteen contexts, and sums over them.
//
//     w_{l+1} = w_l + C_l e_l,   e_l = b - M w_l,   w_0 = 0,   C_l = alpha_l I or any matrix
//
// so that with the derivatives M_beta = -dM/dbeta, M_c = -dM/dc and b_c = -db/dc
//
//     dw_{l+1} = dw_l - C_l M dw_l + dC_l e_l + C_l M_beta w_l dbeta + C_l (M_c w_l - b_c) dc

#include <algorithm>
#include <type_traits>

#include "core/base/lanes.h"
#include "core/measures/lane_measures.h"
#include "core/models/lane_products.h"

namespace emergence::EMERGENCE_LANES {
namespace {

using FamilyLanes = Lanes<double>;

void load(const double* all, int part, std::vector<FamilyLanes>& lanes) {
    const double* from = all + part / kParts * lanes.size() * kVirtualLanes + part % kParts * kLanes;
    for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = FamilyLanes::load(from + i * kVirtualLanes);
}

// The algorithm at (beta, c) on one part of a group after the other, and the prompt's form. kD: d, if it is known when
// this is compiled; else 0.
template <int kD>
class FamilyParts {
    using T = FamilyLanes;

  public:
    FamilyParts(const FamilyBank& bank, int layers, double beta, double c)
        : bank_(bank), d_(bank.d), layers_(layers), beta_(T::broadcast(beta)), c_(T::broadcast(c)) {}
    FamilyParts(const FamilyParts&) = delete;
    FamilyParts& operator=(const FamilyParts&) = delete;

    int d() const { return d_; }

    void load_part(int part) {
        if (bank_.weights != nullptr) load(bank_.weights, part, form_);
        const bool traces = bank_.axis == PlaceAxis::trace;
        const int entries = traces ? (bank_.context_length + 1) * (bank_.d + 1) : num_moments(d_);
        const double* from =
            (traces ? bank_.states : bank_.moments) + part / kParts * entries * kVirtualLanes + part % kParts * kLanes;
        traces ? place_traces(from) : place(from);
    }

    /// Runs with C_l = alpha_l I. Derivatives are by beta, c, alpha_0 .. alpha_{L-1}, d entries each.
    template <bool kDerivatives>
    void run_steps(const T* alphas) {
        begin<kDerivatives>(2 + layers_);
        for (int l = 0; l < layers_; ++l) {  // the derivatives by later step sizes are still zero
            step<kDerivatives>(l, l + 2, [&](const T* x, int i) { return alphas[l] * x[i]; });
            if constexpr (kDerivatives) std::copy_n(e_ + l * d_, int(d_), J_.data() + (l + 2) * d_);
        }
    }

    /// Runs with any C_l, row by row, one layer's after the other's. Derivatives are by beta, c, then the entries. With
    /// S_l = (I - C_{L-1} M) ... (I - C_{l+1} M), that by entry (i, j) of C_l is column i of S_l times entry j of e_l.
    template <bool kDerivatives>
    void run_matrices(const T* C) {
        begin<kDerivatives>(2 + layers_ * d_ * d_);
        for (int l = 0; l < layers_; ++l)
            step<kDerivatives>(l, 2, [&](const T* x, int i) { return dot(C + (l * d_ + i) * d_, x); });
        if constexpr (kDerivatives) by_entries(C);
    }

    /// M^k b, d entries each, for k below `layers`.
    void run_powers() {
        J_.assign(layers_ * d_, T{});
        for (int i = 0; i < d_; ++i) J_[i] = b_[i];
        for (int k = 1; k < layers_; ++k) product(M_, J_.data() + (k - 1) * d_, J_.data() + k * d_);
    }

    /// a' b
    T dot(const T* a, const T* b) const {
        T sum = a[0] * b[0];
        for (int j = 1; j < d_; ++j) sum = sum + a[j] * b[j];
        return sum;
    }
    /// result = matrix x
    void product(const T* matrix, const T* x, T* result) const {
        for (int i = 0; i < d_; ++i) result[i] = dot(matrix + i * d_, x);
    }

    // Keeps W x for weighted().
    void weigh(const T* x) { product(form_.data(), x, weighted_.data()); }
    T weighted(const T* x) const { return dot(x, weighted_.data()); }

    /// w_L, d entries.
    const T* weights() const { return w_; }
    /// The derivatives, in the order that run_*() names.
    const T* derivatives() const { return J_.data(); }

  private:
    // The gradient's axis, where c is how much of the target's gradient is taken, or the axis of mean rewards, whose
    // moments hold in the place of q the mean of rbar phi, with rbar the mean of the rewards so far.
    //
    //     b = r - c q,   M = A - beta B - c B' + beta c D     gradient
    //     b = r - c q,   M = A - beta B                       mean reward
    void place(const double* moments) {
        const auto moment = [moments](int i) { return T::load(moments + i * kVirtualLanes); };
        const bool follows_gradient = bank_.axis == PlaceAxis::gradient;
        const int dd = d_ * d_, r = 3 * dd, q = r + d_;
        for (int i = 0; i < d_; ++i) {
            minus_db_[i] = moment(q + i);
            b_[i] = moment(r + i) - c_ * minus_db_[i];
            for (int j = 0; j < d_; ++j) {
                const int k = i * d_ + j;
                const T D = follows_gradient ? moment(2 * dd + k) : T{};
                const T B_transposed = follows_gradient ? moment(dd + j * d_ + i) : T{};
                by_beta_[k] = moment(dd + k) - c_ * D;
                by_c_[k] = B_transposed - beta_ * D;
                M_[k] = moment(k) - beta_ * by_beta_[k] - c_ * B_transposed;
            }
        }
    }
    // The axis of traces, e_i = lambda e_{i-1} + phi_i, u_i = de_i/dlambda = e_{i-1} + lambda u_{i-1}, lambda = c_:
    //
    //     b = mean R_i e_i,   M = mean e_i (phi_i - beta gamma phi'_i)'
    void place_traces(const double* states) {
        const auto state = [&](int t, int k) { return T::load(states + (t * (d_ + 1) + k) * kVirtualLanes); };
        const int n = bank_.context_length;
        const T gamma = T::broadcast(bank_.gamma), inverse_n = T::broadcast(1.0 / n);
        trace_.assign(2 * d_, T{});
        for (T* sums : {M_, by_beta_, by_c_}) std::fill_n(sums, int(d_) * d_, T{});
        for (T* sums : {b_, minus_db_}) std::fill_n(sums, int(d_), T{});
        T *e = trace_.data(), *u = e + d_;
        for (int t = 0; t < n; ++t) {
            for (int k = 0; k < d_; ++k) {
                u[k] = e[k] + c_ * u[k];
                e[k] = state(t, k) + c_ * e[k];
            }
            const T reward = state(t, d_) * inverse_n;
            for (int k = 0; k < d_; ++k) {
                b_[k] = b_[k] + reward * e[k];
                minus_db_[k] = minus_db_[k] - reward * u[k];
            }
            for (int j = 0; j < d_; ++j) {
                const T next = gamma * state(t + 1, j) * inverse_n, off = state(t, j) * inverse_n - beta_ * next;
                for (int i = 0; i < d_; ++i) {
                    const int k = i * d_ + j;
                    M_[k] = M_[k] + e[i] * off;
                    by_beta_[k] = by_beta_[k] + e[i] * next;
                    by_c_[k] = by_c_[k] - u[i] * off;
                }
            }
        }
    }
    template <bool kDerivatives>
    void begin(int parameters) {
        std::fill_n(w_, int(d_), T{});
        if constexpr (kDerivatives) J_.assign(parameters * d_, T{});
    }
    // Layer l, with the derivatives by the first `known` parameters. times(x, i): entry i of C_l x.
    template <bool kDerivatives, class Times>
    void step(int l, int known, const Times& times) {
        T* e = e_ + l * d_;
        product(M_, w_, e);
        for (int i = 0; i < d_; ++i) e[i] = b_[i] - e[i];
        if constexpr (kDerivatives) {
            for (int k = 0; k < known; ++k) {
                T* column = J_.data() + k * d_;
                product(M_, column, moved_);
                for (int i = 0; i < d_; ++i) column[i] = column[i] - times(moved_, i);
            }
            T *by_beta = J_.data(), *by_c = by_beta + d_;
            product(by_beta_, w_, moved_);
            for (int i = 0; i < d_; ++i) by_beta[i] = by_beta[i] + times(moved_, i);
            product(by_c_, w_, moved_);
            for (int i = 0; i < d_; ++i) moved_[i] = moved_[i] - minus_db_[i];
            for (int i = 0; i < d_; ++i) by_c[i] = by_c[i] + times(moved_, i);
        }
        for (int i = 0; i < d_; ++i) w_[i] = w_[i] + times(e, i);
    }
    void by_entries(const T* C) {
        const T one = T::broadcast(1);
        for (int k = 0; k < d_ * d_; ++k) S_[k] = k % (d_ + 1) == 0 ? one : T{};
        for (int l = layers_ - 1; l >= 0; --l) {
            T* entry = J_.data() + (2 + l * d_ * d_) * d_;
            for (int i = 0; i < d_; ++i)
                for (int j = 0; j < d_; ++j)
                    for (int k = 0; k < d_; ++k) *entry++ = S_[k * d_ + i] * e_[l * d_ + j];
            if (l > 0) step_back(C + l * d_ * d_);
        }
    }
    // S <- S - S C M
    void step_back(const T* C) {
        std::fill_n(SC_, int(d_) * d_, T{});
        for (int i = 0; i < d_; ++i)
            for (int k = 0; k < d_; ++k)
                for (int j = 0; j < d_; ++j) SC_[i * d_ + j] = SC_[i * d_ + j] + S_[i * d_ + k] * C[k * d_ + j];
        for (int i = 0; i < d_; ++i)
            for (int k = 0; k < d_; ++k)
                for (int j = 0; j < d_; ++j) S_[i * d_ + j] = S_[i * d_ + j] - SC_[i * d_ + k] * M_[k * d_ + j];
    }

    struct Size {
        explicit Size(int d) : value(d) {}
        operator int() const { return kD > 0 ? kD : value; }
        int value;
    };

    const FamilyBank& bank_;
    const Size d_;
    const int layers_;
    const T beta_, c_;
    std::vector<T> form_ = std::vector<T>(bank_.d * bank_.d), weighted_ = std::vector<T>(bank_.d);
    std::vector<T> memory_ = std::vector<T>((5 * d_ + 4 + layers_) * d_), J_, trace_;
    T *M_ = memory_.data(), *by_beta_ = M_ + d_ * d_, *by_c_ = by_beta_ + d_ * d_, *S_ = by_c_ + d_ * d_,
      *SC_ = S_ + d_ * d_, *b_ = SC_ + d_ * d_, *minus_db_ = b_ + d_, *w_ = minus_db_ + d_, *moved_ = w_ + d_,
      *e_ = moved_ + d_;
};

// Sums over groups, lane by lane, then over lanes. add(part, sums): adds a part's own.
template <class Add>
void sum_over_parts(int groups, size_t size, double* sums, const Add& add) {
    std::vector<FamilyLanes> lanes(kParts * size, zero_lanes<double>());
    for (int part = 0; part < groups * kParts; ++part) add(part, lanes.data() + (part % kParts) * size);
    sum_parts(lanes.data(), size, size, sums);
}

FamilyLanes importance_of(const FamilyTarget& target, int part) {
    return FamilyLanes::load(target.importance + part / kParts * kVirtualLanes + part % kParts * kLanes);
}

int layers_of(int d, int size, Steps steps) { return steps == Steps::scalar ? size - 2 : (size - 2) / (d * d); }

// Runs behind load_part() and leaves the difference from `wanted` in `off`.
template <bool kDerivatives, int kD>
void run_part(FamilyParts<kD>& parts, Steps steps, const std::vector<FamilyLanes>& parameters, const double* wanted,
              int part, std::vector<FamilyLanes>& off) {
    parts.load_part(part);
    if (steps == Steps::scalar)
        parts.template run_steps<kDerivatives>(parameters.data());
    else
        parts.template run_matrices<kDerivatives>(parameters.data());
    load(wanted, part, off);
    for (size_t i = 0; i < off.size(); ++i) off[i] = parts.weights()[i] - off[i];
    parts.weigh(off.data());
}

std::vector<FamilyLanes> in_lanes(const double* parameters, int size) {
    std::vector<FamilyLanes> lanes;
    for (int k = 2; k < size; ++k) lanes.push_back(FamilyLanes::broadcast(parameters[k]));
    return lanes;
}

template <bool kDerivatives, int kD>
void sum_family(const FamilyBank& bank, const FamilyTarget& target, const double* parameters, int p, Steps steps,
                double* sums) {
    const bool scatters = steps == Steps::scalar;
    FamilyParts<kD> parts(bank, layers_of(bank.d, p, steps), parameters[0], parameters[1]);
    const int d = parts.d();
    const std::vector<FamilyLanes> own = in_lanes(parameters, p);
    std::vector<FamilyLanes> off(d), g(p);
    const int size = kDerivatives ? 1 + p + p * (p + 1) / (scatters ? 1 : 2) : 1;
    sum_over_parts(bank.groups, size, sums, [&](int part, FamilyLanes* sum) {
        run_part<kDerivatives>(parts, steps, own, target.wanted, part, off);
        const FamilyLanes u = importance_of(target, part);
        *sum = *sum + u * parts.weighted(off.data());
        if constexpr (kDerivatives) {
            const FamilyLanes* J = parts.derivatives();
            FamilyLanes *gradient = sum + 1, *entry = gradient + p;
            for (int k = 0; k < p; ++k) {
                g[k] = u * parts.weighted(J + k * d);
                gradient[k] = gradient[k] + g[k];
            }
            for (int a = 0; a < p; ++a) {
                for (int i = 0; i < d; ++i) off[i] = u * J[a * d + i];
                parts.weigh(off.data());
                for (int b = a; b < p; ++b, ++entry) *entry = *entry + parts.weighted(J + b * d);
            }
            if (scatters)
                for (int a = 0; a < p; ++a)
                    for (int b = a; b < p; ++b, ++entry) *entry = *entry + g[a] * g[b];
        }
    });
}

// Calls with d as a constant where it is the usual one.
template <class Call>
void with_size([[maybe_unused]] const FamilyBank& bank, const Call& call) {
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (bank.d == 4) return call(std::integral_constant<int, 4>());
#endif
    call(std::integral_constant<int, 0>());
}

}  // namespace

void family_lane_sums(const FamilyBank& bank, const FamilyTarget& target, const double* parameters, int size,
                      Steps steps, bool derivatives, double* sums) {
    with_size(bank, [&](auto size_of) {
        derivatives ? sum_family<true, size_of>(bank, target, parameters, size, steps, sums)
                    : sum_family<false, size_of>(bank, target, parameters, size, steps, sums);
    });
}

void family_lane_errors(const FamilyBank& bank, const double* wanted, const double* parameters, int size, Steps steps,
                        double* errors) {
    with_size(bank, [&](auto size_of) {
        FamilyParts<size_of> parts(bank, layers_of(bank.d, size, steps), parameters[0], parameters[1]);
        const std::vector<FamilyLanes> own = in_lanes(parameters, size);
        std::vector<FamilyLanes> off(bank.d);
        for (int part = 0; part < bank.groups * kParts; ++part) {
            run_part<false>(parts, steps, own, wanted, part, off);
            parts.weighted(off.data()).store(errors + part / kParts * kVirtualLanes + part % kParts * kLanes);
        }
    });
}

void family_lane_values(const FamilyBank& bank, const double* queries, const double* parameters, int size,
                        double* values) {
    with_size(bank, [&](auto size_of) {
        FamilyParts<size_of> parts(bank, size - 2, parameters[0], parameters[1]);
        const int d = parts.d();
        const std::vector<FamilyLanes> own = in_lanes(parameters, size);
        std::vector<FamilyLanes> query(d);
        for (int part = 0; part < bank.groups * kParts; ++part) {
            parts.load_part(part);
            parts.template run_steps<true>(own.data());
            load(queries, part, query);
            double* to = values + (part / kParts * (1 + size)) * kVirtualLanes + part % kParts * kLanes;
            for (int k = 0; k <= size; ++k, to += kVirtualLanes) {
                const FamilyLanes* of = k == 0 ? parts.weights() : parts.derivatives() + (k - 1) * d;
                parts.dot(of, query.data()).store(to);
            }
        }
    });
}

void power_lane_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers,
                     double* sums) {
    with_size(bank, [&](auto size_of) {
        FamilyParts<size_of> parts(bank, layers, beta, c);
        const int d = parts.d();
        std::vector<FamilyLanes> wanted(d), scaled(d);
        sum_over_parts(bank.groups, layers * (layers + 1) / 2 + layers, sums, [&](int part, FamilyLanes* sum) {
            parts.load_part(part);
            parts.run_powers();
            const FamilyLanes* powers = parts.derivatives();
            const FamilyLanes u = importance_of(target, part);
            load(target.wanted, part, wanted);
            FamilyLanes* with_wanted = sum + layers * (layers + 1) / 2;
            for (int a = 0; a < layers; ++a) {
                for (int i = 0; i < d; ++i) scaled[i] = u * powers[a * d + i];
                parts.weigh(scaled.data());
                for (int b = a; b < layers; ++b, ++sum) *sum = *sum + parts.weighted(powers + b * d);
                with_wanted[a] = with_wanted[a] + parts.weighted(wanted.data());
            }
        });
    });
}

}  // namespace emergence::EMERGENCE_LANES
