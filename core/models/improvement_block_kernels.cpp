#include "core/base/lanes.h"
#include "core/models/improvement_block.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <class T>
class Block final : public ImprovementBlock<T> {
    using L = Lanes<T>;

  public:
    explicit Block(const ImprovementShape& shape)
        : query_(shape.query()), outputs_(shape.outputs()), n_(shape.n), stride_(padded_row(shape.context())) {}

    void forward(const T* weights, const PromptView<T>& prompt, T* update) override {
        combine(weights, prompt.query, query_, y_.data());
        moments(prompt.X, y_.data(), z_.data());
        dot_rows(V21(weights, 0), outputs_, z_.data(), update);
    }

    T train(T* weights, const PromptView<T>& prompt, const AdamStep<T>& adam) override {
        const T loss = backward(weights, prompt);
        // An upper bound of the gradient's squares, which Adam averages.
        T query_square = T(0);
        for (int j = 0; j < query_; ++j) query_square += prompt.query[j] * prompt.query[j];
        const T most = dot(dy_.data(), dy_.data()) * query_square + dot(z_.data(), z_.data()) * T(2) * loss;
        if (!(most - most == T(0))) return most;
        for (int j = 0; j < query_; ++j) step(prompt.query[j], dy_.data(), j * stride_, weights, adam);
        for (int k = 0; k < outputs_; ++k) step(error_.data()[k], z_.data(), (query_ + k) * stride_, weights, adam);
        return loss;
    }

  private:
    const T* V21(const T* weights, int row) const { return weights + (query_ + row) * stride_; }

    // out = sum_j factor_j row_j. Padding is 0 in the rows and so in out.
    void combine(const T* rows, const T* factors, int count, T* out) const {
        for (int at = 0; at < stride_;) {
            const int left = (stride_ - at) / kLanes;
            if (left >= 5)
                at += combine_some<5>(rows + at, factors, count, out + at);
            else if (left == 4)
                at += combine_some<4>(rows + at, factors, count, out + at);
            else if (left >= 2)
                at += combine_some<2>(rows + at, factors, count, out + at);
            else
                at += combine_some<1>(rows + at, factors, count, out + at);
        }
    }

    // combine() for `width` registers at once, since one sum alone would wait for each addition. Returns the
    // number of entries done.
    template <int width>
    int combine_some(const T* rows, const T* factors, int count, T* out) const {
        L sums[width];
        for (int i = 0; i < width; ++i) sums[i] = zero_lanes<T>();
        for (int j = 0; j < count; ++j) {
            const L factor = L::broadcast(factors[j]);
            for (int i = 0; i < width; ++i) sums[i] = fma(factor, L::load(rows + j * stride_ + i * kLanes), sums[i]);
        }
        for (int i = 0; i < width; ++i) sums[i].store(out + i * kLanes);
        return width * kLanes;
    }

    T dot(const T* a, const T* b) const {
        T product;
        dots<1>(a, b, &product);
        return product;
    }

    // out_j = row_j' b
    void dot_rows(const T* rows, int count, const T* b, T* out) const {
        int j = 0;
        for (; j + 4 <= count; j += 4) dots<4>(rows + j * stride_, b, out + j);
        for (; j < count; ++j) dots<1>(rows + j * stride_, b, out + j);
    }

    template <int count>
    void dots(const T* rows, const T* b, T* out) const {
        L sums[count][kParts];
        for (int j = 0; j < count; ++j)
            for (int part = 0; part < kParts; ++part) sums[j][part] = zero_lanes<T>();
        for (int at = 0; at < stride_; at += kVirtualLanes)
            for (int part = 0; part < kParts; ++part) {
                const int i = at + part * kLanes;
                const L right = L::load(b + i);
                for (int j = 0; j < count; ++j)
                    sums[j][part] = fma(L::load(rows + j * stride_ + i), right, sums[j][part]);
            }
        for (int j = 0; j < count; ++j) out[j] = sum_abreast(sums[j]);
    }

    // out = (1/n) X' X in
    void moments(const T* X, const T* in, T* out) {
        const T share = T(1) / static_cast<T>(n_);
        dot_rows(X, n_, in, scores_.data());
        for (int i = 0; i < n_; ++i) scores_.data()[i] *= share;
        combine(X, scores_.data(), n_, out);
    }

    // Returns the loss; leaves error_ and the gradients' factors z_ and dy_.
    T backward(const T* weights, const PromptView<T>& prompt) {
        forward(weights, prompt, error_.data());
        T loss = T(0);
        for (int k = 0; k < outputs_; ++k) {
            error_.data()[k] -= prompt.teacher[k];
            loss += error_.data()[k] * error_.data()[k];
        }
        // update = V21 z:  dV21 = error z',  dz = V21' error
        combine(V21(weights, 0), error_.data(), outputs_, dz_.data());
        // z = (1/n) X' X y:  dy = (1/n) X' X dz
        // y = P12 q:  dP12 = dy q'
        moments(prompt.X, dz_.data(), dy_.data());
        return T(0.5) * loss;
    }

    void step(T factor, const T* row, int first, T* weights, const AdamStep<T>& adam) const {
        const auto all = [](T x) { return L::broadcast(x); };
        const L f = all(factor), b1 = all(adam.beta1), b2 = all(adam.beta2), rest1 = all(T(1) - adam.beta1),
                rest2 = all(T(1) - adam.beta2), root = all(adam.root), epsilon = all(adam.epsilon),
                rate = all(-adam.rate);
        const int stride = stride_;
        T* const first_moment = adam.first_moment + first;
        T* const second_moment = adam.second_moment + first;
        T* const w = weights + first;
        for (int i = 0; i < stride; i += kLanes) {
            const L g = f * L::load(row + i);
            const L m = fma(b1, L::load(first_moment + i), rest1 * g);
            const L v = fma(b2, L::load(second_moment + i), rest2 * (g * g));
            m.store(first_moment + i);
            v.store(second_moment + i);
            const L quotient = m / fma(sqrt(v), root, epsilon);
            fma(rate, quotient, L::load(w + i)).store(w + i);
        }
    }

    int query_, outputs_, n_, stride_;
    using Buffer = ScalarBuffer<T>;
    Buffer y_ = Buffer(stride_), z_ = Buffer(stride_), dz_ = Buffer(stride_), dy_ = Buffer(stride_);
    Buffer scores_ = Buffer(n_), error_ = Buffer(outputs_);
};

}  // namespace

template <class T>
ImprovementBlock<T>* make_improvement_block(const ImprovementShape& shape) {
    return new Block<T>(shape);
}

template ImprovementBlock<float>* make_improvement_block(const ImprovementShape&);
template ImprovementBlock<double>* make_improvement_block(const ImprovementShape&);

}  // namespace emergence::EMERGENCE_LANES
