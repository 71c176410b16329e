#pragma once
// The line-up's families that are no points of the map of algorithms (line_up.h), for plain numbers and for lanes of
// sixteen contexts. Parameters are in the order of num_parameters(); moments: map_moments_size() averages.

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace emergence {

/// Runs TD(C_l). With S_l = (I - C_{L-1} M) ... (I - C_{l+1} M), the derivative of w_L by entry (i, j) of C_l is column
/// i of S_l times entry j of b - M w_l.
template <class T>
class MatricesRun {
  public:
    MatricesRun(int d, int layers, const T& one)
        : d_(d),
          layers_(layers),
          one_(one),
          M_(place(d * d)),
          S_(M_),
          SC_(M_),
          w_(place(d)),
          e_(place(layers * d)),
          J_(place(layers * d * d * d)) {}

    template <bool kDerivatives>
    void run(const T* moments, const T* C) {
        const T *A = moments, *B = A + d_ * d_, *r = moments + 3 * d_ * d_;
        for (int at = 0; at < d_ * d_; ++at) M_[place(at)] = A[at] - B[at];
        for (T& entry : w_) entry = T{};
        for (int l = 0; l < layers_; ++l) {
            T* e = e_.data() + l * d_;
            for (int i = 0; i < d_; ++i) {
                e[i] = r[i];
                for (int j = 0; j < d_; ++j) e[i] = e[i] - M_[place(i * d_ + j)] * w_[place(j)];
            }
            for (int i = 0; i < d_; ++i)
                for (int j = 0; j < d_; ++j) w_[place(i)] = w_[place(i)] + C[(l * d_ + i) * d_ + j] * e[j];
        }
        if constexpr (kDerivatives) derive(C);
    }

    /// w_L, d entries.
    const T* weights() const { return w_.data(); }
    /// The derivatives by each parameter, d entries each.
    const T* derivatives() const { return J_.data(); }

  private:
    static size_t place(int i) { return static_cast<size_t>(i); }

    void derive(const T* C) {
        for (int at = 0; at < d_ * d_; ++at) S_[place(at)] = at % (d_ + 1) == 0 ? one_ : T{};
        for (int l = layers_ - 1; l >= 0; --l) {
            T* entry = J_.data() + l * d_ * d_ * d_;
            for (int i = 0; i < d_; ++i)
                for (int j = 0; j < d_; ++j)
                    for (int k = 0; k < d_; ++k) *entry++ = S_[place(k * d_ + i)] * e_[place(l * d_ + j)];
            if (l > 0) step_back(C + l * d_ * d_);
        }
    }
    // S <- S - S C M
    void step_back(const T* C) {
        for (T& entry : SC_) entry = T{};
        for (int i = 0; i < d_; ++i)
            for (int k = 0; k < d_; ++k)
                for (int j = 0; j < d_; ++j)
                    SC_[place(i * d_ + j)] = SC_[place(i * d_ + j)] + S_[place(i * d_ + k)] * C[k * d_ + j];
        for (int i = 0; i < d_; ++i)
            for (int k = 0; k < d_; ++k)
                for (int j = 0; j < d_; ++j)
                    S_[place(i * d_ + j)] = S_[place(i * d_ + j)] - SC_[place(i * d_ + k)] * M_[place(k * d_ + j)];
    }

    int d_, layers_;
    T one_;
    std::vector<T> M_, S_, SC_, w_, e_, J_;
};

/// A number with its derivatives by the three parameters of one layer.
template <class T>
struct Sloped {
    T value{}, by[3]{};

    friend Sloped operator+(const Sloped& a, const Sloped& b) {
        return {a.value + b.value, {a.by[0] + b.by[0], a.by[1] + b.by[1], a.by[2] + b.by[2]}};
    }
    friend Sloped operator-(const Sloped& a, const Sloped& b) {
        return {a.value - b.value, {a.by[0] - b.by[0], a.by[1] - b.by[1], a.by[2] - b.by[2]}};
    }
    friend Sloped operator-(const Sloped& a, const T& b) { return {a.value - b, {a.by[0], a.by[1], a.by[2]}}; }
    friend Sloped operator-(const T& a, const Sloped& b) {
        return {a - b.value, {T{} - b.by[0], T{} - b.by[1], T{} - b.by[2]}};
    }
    friend Sloped operator*(const Sloped& a, const Sloped& b) {
        return {a.value * b.value,
                {a.by[0] * b.value + a.value * b.by[0], a.by[1] * b.value + a.value * b.by[1],
                 a.by[2] * b.value + a.value * b.by[2]}};
    }
    friend Sloped operator*(const T& a, const Sloped& b) {
        return {a * b.value, {a * b.by[0], a * b.by[1], a * b.by[2]}};
    }
    friend Sloped operator*(const Sloped& a, const T& b) { return b * a; }
};

/// Memory that goes to the next matrix of its size in this thread: aligned memory of the heap is slow to come by.
template <class T>
struct Recycled {
    using value_type = T;

    T* allocate(size_t size) {
        auto& blocks = left().blocks;
        for (size_t at = blocks.size(); at-- > 0;) {
            if (blocks[at].second != size) continue;
            T* block = blocks[at].first;
            blocks[at] = blocks.back();
            blocks.pop_back();
            return block;
        }
        return std::allocator<T>().allocate(size);
    }
    void deallocate(T* block, size_t size) {
        if (left().blocks.size() < kMostBlocks)
            left().blocks.push_back({block, size});
        else
            std::allocator<T>().deallocate(block, size);
    }
    bool operator==(const Recycled&) const { return true; }

  private:
    static constexpr size_t kMostBlocks = 32;
    struct Left {
        std::vector<std::pair<T*, size_t>> blocks;
        ~Left() {
            for (const auto& [block, size] : blocks) std::allocator<T>().deallocate(block, size);
        }
    };
    static Left& left() {
        static thread_local Left blocks;
        return blocks;
    }
};

/// A matrix of d rows, row by row, of numbers of any kind.
template <class T>
struct RunMatrix {
    int d, columns;
    std::vector<T, Recycled<T>> values;
    RunMatrix(int rows, int of_columns)
        : d(rows), columns(of_columns), values(static_cast<size_t>(rows * of_columns)) {}
    T& operator()(int i, int j) { return values[static_cast<size_t>(i * columns + j)]; }
    const T& operator()(int i, int j) const { return values[static_cast<size_t>(i * columns + j)]; }

    RunMatrix transposed() const {
        RunMatrix result(columns, d);
        for (int i = 0; i < d; ++i)
            for (int j = 0; j < columns; ++j) result(j, i) = (*this)(i, j);
        return result;
    }
    template <class U>
    friend auto operator*(const RunMatrix& a, const RunMatrix<U>& b) {
        RunMatrix<decltype(T{} * U{})> result(a.d, b.columns);
        for (int i = 0; i < a.d; ++i)
            for (int j = 0; j < b.columns; ++j) {
                auto sum = a(i, 0) * b(0, j);
                for (int k = 1; k < a.columns; ++k) sum = sum + a(i, k) * b(k, j);
                result(i, j) = sum;
            }
        return result;
    }
    template <class U>
    friend auto operator-(const RunMatrix& a, const RunMatrix<U>& b) {
        RunMatrix<decltype(T{} - U{})> result(a.d, a.columns);
        for (size_t at = 0; at < result.values.size(); ++at) result.values[at] = a.values[at] - b.values[at];
        return result;
    }
};
/// a b
template <class T, class U>
auto scaled(const T& a, const RunMatrix<U>& b) {
    RunMatrix<decltype(T{} * U{})> result(b.d, b.columns);
    for (size_t at = 0; at < result.values.size(); ++at) result.values[at] = a * b.values[at];
    return result;
}

/// Runs TD(alpha_l) with maps of the features. For every column (x, y, row) of the prompt and e = x - y, with the
/// averages A of x x', B of x y', D of y y', r of row x, q of row y:
///
///     x <- x - kappa A e,   y <- y - kappa' B' e,   row <- row - alpha r' e
///
/// after() has the averages of what a layer makes. A query starts as (phi, 0, 0), so that x - y is phi, and its value
/// is minus its last row; before() has, from the last layer to the first, by what x - y before it is multiplied there.
template <class T>
class FeaturesRun {
  public:
    FeaturesRun(int d, int layers, const T& one)
        : d_(d), layers_(layers), one_(one), w_(place(d)), J_(place(3 * layers * d)) {}

    template <bool kDerivatives>
    void run(const T* moments, const T* parameters) {
        std::vector<Averages<T>> plain{Averages<T>(d_)};
        for (RunMatrix<T>* part : plain[0].all())
            for (T& entry : part->values) entry = *moments++;
        for (int l = 0; l + 1 < layers_; ++l)
            plain.push_back(after(plain.back(), layer(parameters, l), l + 2 == layers_));
        RunMatrix<T> row(d_, 1);
        for (int l = layers_ - 1; l >= 0; --l) row = before(plain[place(l)], layer(parameters, l), row);
        for (int i = 0; i < d_; ++i) w_[place(i)] = T{} - row(i, 0);
        if constexpr (kDerivatives)
            for (int k = 0; k < layers_; ++k) derive(plain, parameters, k);
    }

    /// w_L, d entries.
    const T* weights() const { return w_.data(); }
    /// The derivatives by each parameter, d entries each.
    const T* derivatives() const { return J_.data(); }

  private:
    using Slope = Sloped<T>;
    static size_t place(int i) { return static_cast<size_t>(i); }

    template <class N>
    struct Averages {
        explicit Averages(int d) : A(d, d), B(d, d), D(d, d), r(d, 1), q(d, 1) {}
        std::array<RunMatrix<N>*, 5> all() { return {&A, &B, &D, &r, &q}; }
        RunMatrix<N> A, B, D, r, q;
    };
    template <class N>
    struct Layer {
        N alpha, kappa, other_kappa;
    };
    static Layer<T> layer(const T* parameters, int l) {
        return {parameters[3 * l], parameters[3 * l + 1], parameters[3 * l + 2]};
    }

    // By the parameters of layer k.
    void derive(const std::vector<Averages<T>>& plain, const T* parameters, int k) {
        const Layer<T> own = layer(parameters, k);
        const Layer<Slope> moved{{own.alpha, {one_}}, {own.kappa, {T{}, one_}}, {own.other_kappa, {T{}, T{}, one_}}};
        std::vector<Averages<Slope>> later;
        for (int l = k; l + 1 < layers_; ++l)
            later.push_back(l == k ? after(plain[place(k)], moved, l + 2 == layers_)
                                   : after(later.back(), layer(parameters, l), l + 2 == layers_));
        RunMatrix<Slope> row(d_, 1);
        for (int l = layers_ - 1; l > k; --l) row = before(later[place(l - k - 1)], layer(parameters, l), row);
        row = before(plain[place(k)], moved, row);
        for (int l = k - 1; l >= 0; --l) row = before(plain[place(l)], layer(parameters, l), row);
        for (int i = 0; i < d_; ++i)
            for (int m = 0; m < 3; ++m) J_[place((3 * k + m) * d_ + i)] = T{} - row(i, 0).by[m];
    }

    // Of the averages that the last layer reads only r has an effect.
    template <class N, class P>
    static auto after(const Averages<N>& of, const Layer<P>& layer, bool last) {
        const RunMatrix<N>&A = of.A, &B = of.B, &D = of.D, &r = of.r, &q = of.q;
        const RunMatrix<N> K = B.transposed(), ex = A - K, ey = B - D, ee = ex - ey, re = r - q, ee_r = ee * r;
        Averages<decltype(N{} * P{})> result(A.d);
        const auto rows = [&](const RunMatrix<N>& row, const P& kappa, const RunMatrix<N>& map, const RunMatrix<N>& e) {
            return row - scaled(kappa, map * re) - scaled(layer.alpha, e.transposed() * r - scaled(kappa, map * ee_r));
        };
        result.r = rows(r, layer.kappa, A, ex);
        if (last) return result;
        result.q = rows(q, layer.other_kappa, K, ey);
        const RunMatrix<N> A_ex = A * ex, A_ey = A * ey, K_ey = K * ey;
        const auto xe = ex.transposed() - scaled(layer.kappa, A_ex - A_ey);  // of the next x and this e
        const auto ye = ey.transposed() - scaled(layer.other_kappa, K * ex - K_ey);
        result.A = A - scaled(layer.kappa, A_ex) - scaled(layer.kappa, xe * A);
        result.B = B - scaled(layer.kappa, A_ey) - scaled(layer.other_kappa, xe * B);
        result.D = D - scaled(layer.other_kappa, K_ey) - scaled(layer.other_kappa, ye * B);
        return result;
    }

    template <class N, class P, class R>
    static RunMatrix<R> before(const Averages<N>& of, const Layer<P>& layer, const RunMatrix<R>& row) {
        const auto lost = scaled(layer.kappa, of.A * row) - scaled(layer.other_kappa, of.B * row);
        return row - lost - scaled(layer.alpha, of.r);
    }

    int d_, layers_;
    T one_;
    std::vector<T> w_, J_;
};

}  // namespace emergence
