#include "core/models/gram_network.h"
#include "core/training/in_context_loss.h"

namespace emergence::EMERGENCE_LANES {
namespace {

template <int D>
class Loss final : public InContextLoss {
    using L = Lanes<double>;
    using Network = GramNetwork<double, D>;

  public:
    explicit Loss(const InContextShape& shape)
        : rows_(shape.rows),
          network_({shape.rows, shape.layers, shape.layers, nullptr, nullptr}),
          gradients_(kParts, typename Network::Gradient(shape.rows, shape.layers)),
          gram_(static_cast<size_t>(shape.rows * shape.rows), zero_lanes<double>()),
          query_(static_cast<size_t>(shape.rows), zero_lanes<double>()) {}

    double loss(const GramView& sample, const double* P, const double* Q, double* P_gradient,
                double* Q_gradient) override {
        begin(sample, P, Q);
        const double inverse = 1.0 / sample.prompts;
        const L scale = L::broadcast(2.0 * inverse);
        L sums[kParts];
        for (int part = 0; part < kParts; ++part) {
            sums[part] = zero_lanes<double>();
            gradients_[static_cast<size_t>(part)].clear();
        }
        for (int group = 0; group < gram_groups(sample.prompts); ++group)
            for (int part = 0; part < kParts; ++part) {
                // The last row starts at 0 in the query, so this is prediction's error, sign turned.
                const L target = load(sample, group, part);
                const L error = target + network_.forward(gram_.data(), query_.data());
                sums[part] = fma(error, error, sums[part]);
                if (P_gradient != nullptr)
                    network_.backward(error * scale, gradients_[static_cast<size_t>(part)]);
            }
        if (P_gradient != nullptr) network_.finish_gradient(gradients_.data(), P_gradient, Q_gradient);
        return sum_lanes(sums) * inverse;
    }

    void predict(const GramView& sample, const double* P, const double* Q, double* predictions) override {
        begin(sample, P, Q);
        for_each_prompt(sample, 1, predictions, [this](L* values) {
            values[0] = zero_lanes<double>() - network_.forward(gram_.data(), query_.data());
        });
    }

    void implicit_weights(const GramView& sample, const double* P, const double* Q,
                          double* weights) override {
        begin(sample, P, Q);
        for_each_prompt(sample, rows_, weights, [this](L* values) {
            network_.read_out(gram_.data(), values);
            for (int i = 0; i < rows_; ++i) values[i] = zero_lanes<double>() - values[i];
        });
    }

  private:
    void begin(const GramView& sample, const double* P, const double* Q) {
        network_.set_weights(P, Q, 1.0 / sample.context_length);
    }

    // Fills gram_ and query_, and gives the targets.
    L load(const GramView& sample, int group, int part) {
        const double* place =
            sample.data + static_cast<size_t>(group) * gram_entries(rows_) * kVirtualLanes + part * kLanes;
        const auto take = [&place] {
            const L values = L::load(place);
            place += kVirtualLanes;
            return values;
        };
        for (int i = 0; i < rows_; ++i)
            for (int j = i; j < rows_; ++j)
                gram_[static_cast<size_t>(i * rows_ + j)] = gram_[static_cast<size_t>(j * rows_ + i)] =
                    take();
        for (int i = 0; i < rows_; ++i) query_[static_cast<size_t>(i)] = take();
        return take();
    }

    // compute(values) fills `count` lanes of values for each group; they go to out: prompts x count.
    template <class Compute>
    void for_each_prompt(const GramView& sample, int count, double* out, const Compute& compute) {
        L values[kMaxRows];
        double stored[kVirtualLanes];
        for (int group = 0; group < gram_groups(sample.prompts); ++group)
            for (int part = 0; part < kParts; ++part) {
                load(sample, group, part);
                compute(values);
                const int first = group * kVirtualLanes + part * kLanes;
                for (int i = 0; i < count; ++i) {
                    values[i].store(stored);
                    for (int lane = 0; lane < kLanes && first + lane < sample.prompts; ++lane)
                        out[(first + lane) * count + i] = stored[lane];
                }
            }
    }

    int rows_;
    Network network_;
    std::vector<typename Network::Gradient> gradients_;
    std::vector<L> gram_, query_;
};

}  // namespace

InContextLoss* make_in_context_loss(const InContextShape& shape) {
#if !defined(EMERGENCE_ONE_KERNEL_SIZE)
    if (shape.rows == 3) return new Loss<3>(shape);  // the plane of the iterates' paths
    if (shape.rows == 6) return new Loss<6>(shape);  // the paper's d = 5
#endif
    return new Loss<0>(shape);
}

}  // namespace emergence::EMERGENCE_LANES
