// The softmax transformer on sliding windows.

#include <vector>

#include "core/base/lanes.h"
#include "core/models/softmax_td_times.h"
#include "core/models/softmax_td_windows.h"

namespace emergence::EMERGENCE_LANES {

// Forward and backward passes of one window per lane, with these tables.
//
// Only the last row of P can change a value, so a layer is, for sources i = 1 .. n,
//
//     h_i = written_i + b w_i + c u_i
//     A_ij = softmax_i(score_ij + ...)
//     u_j <- u_j + (1 - xi) sum_i A_ij h_i + xi h_j     columns of the context
//     u_j <- u_j + sum_i A_ij h_i                       the query's column
//     w_j = gamma u_{j+1}
//
// The last layer needs the query's column only.

/// Forward and backward passes of kLanes windows.
template <class T>
class SoftmaxTdLanes {
    using L = Lanes<T>;
    using Times = SoftmaxTdTimes<T>;

  public:
    SoftmaxTdLanes(int layers, int context_length) : n_(context_length), count_(context_length), tape_(layers) {
        for (Layer& layer : tape_) {
            const bool last = &layer == &tape_.back();
            for (auto* by_column : {&layer.u, &layer.w, &layer.inverse, &layer.mean}) by_column->resize(count_ + 1);
            layer.h.resize(count_);
            layer.e.resize(last ? count_ : count_ * (count_ + 1));
        }
        for (auto* sums : {&du_, &du_before_, &dh_, &dw_}) sums->resize(count_ + 1);
    }

    void set(T gamma, T mixing) {
        gamma_ = L::broadcast(gamma);
        mixing_ = L::broadcast(mixing);
        share_ = L::broadcast(T(1) - mixing);
    }

    /// The value of the query of window number `window` of each lane.
    L forward(const Times& times, int window, int part) {
        L query = zero_lanes<T>();
        for (size_t l = 0; l < tape_.size(); ++l) {
            Layer& layer = tape_[l];
            start_layer(times, window, part, l);
            const bool last = l + 1 == tape_.size();
            for (size_t j = last ? count_ : 0; j <= count_; ++j) {
                L* e = layer.e.data() + column_start(j, last);
                if (l == 0)
                    run_column<false>(times, window, part, layer, j, e);
                else
                    run_column<true>(times, window, part, layer, j, e);
            }
            query = layer.u[count_] + layer.mean[count_];
        }
        return query;
    }

    /// After forward() of the same window: adds `scale` times the gradient of its values to `gradient`.
    void backward(const Times& times, int window, int part, const L& scale, Times& gradient) {
        for (L& x : du_) x = zero_lanes<T>();
        du_[count_] = scale;
        for (size_t l = tape_.size(); l-- > 0;) {
            const bool last = l + 1 == tape_.size();
            if (l == 0)
                layer_back<false>(times, window, part, tape_[l], last, gradient);
            else
                layer_back<true>(times, window, part, tape_[l], last, gradient);
        }
    }

  private:
    struct Layer {
        std::vector<L> u, w;           // n+1, before the layer; the last entry is the query's
        std::vector<L> h;              // n
        std::vector<L> e;              // exponentials, n per column; in the last layer only the query's column
        std::vector<L> inverse, mean;  // n+1: 1 / sum of a column's exponentials; sum_i A_ij h_i
    };
    // The factors of column j in its scores: w_j, u_j and, for w_i and u_i, g_w and g_u.
    struct Column {
        L w, u, g_w, g_u;
    };

    static L at(const T* row, int i) { return L::load(row + i * kVirtualLanes); }
    static void add(T* place, const L& x) { (L::load(place) + x).store(place); }
    size_t column_start(size_t j, bool last) const { return last ? 0 : j * count_; }
    // The row of the tables for column j of a window: the query's or one of the context.
    T* column_row(const Times& of, typename Times::Row row, typename Times::QueryRow of_query, int window, int part,
                  size_t j) const {
        return j == count_ ? of.query_row(of_query, window, part) : of.row(row, window + static_cast<int>(j), part);
    }
    T* column_scores(const Times& of, int window, int part, size_t j) const {
        return j == count_ ? of.query_scores(window, window, part)
                           : of.scores(window + static_cast<int>(j), window, part);
    }

    // u, w and h of layer l from layer l - 1.
    void start_layer(const Times& times, int window, int part, size_t l) {
        Layer& layer = tape_[l];
        const T* written = times.row(Times::written, window, part);
        if (l == 0) {
            for (size_t i = 0; i <= count_; ++i) layer.u[i] = layer.w[i] = zero_lanes<T>();
            for (int i = 0; i < n_; ++i) layer.h[i] = at(written, i);
            return;
        }
        const Layer& before = tape_[l - 1];
        for (size_t j = 0; j < count_; ++j)
            layer.u[j] = fma(mixing_, before.h[j], fma(share_, before.mean[j], before.u[j]));
        layer.u[count_] = before.u[count_] + before.mean[count_];
        const L b = times.scalar(0, part), c = times.scalar(1, part);
        for (size_t i = 0; i < count_; ++i) {
            layer.w[i] = gamma_ * layer.u[i + 1];
            layer.h[i] = fma(c, layer.u[i], fma(b, layer.w[i], at(written, static_cast<int>(i))));
        }
        layer.w[count_] = zero_lanes<T>();
    }

    template <bool kMemory>
    Column column_of(const Times& times, int window, int part, const Layer& layer, size_t j) const {
        const L zero = zero_lanes<T>();
        if constexpr (!kMemory) return {zero, zero, zero, zero};
        const L w = layer.w[j], u = layer.u[j];
        const L g_w = L::load(column_row(times, Times::column_target, Times::query_target, window, part, j));
        const L g_u = L::load(column_row(times, Times::column_current, Times::query_current, window, part, j));
        return {w, u, fma(times.scalar(2, part), w, fma(times.scalar(3, part), u, g_w)),
                fma(times.scalar(4, part), w, fma(times.scalar(5, part), u, g_u))};
    }

    template <bool kMemory>
    void run_column(const Times& times, int window, int part, Layer& layer, size_t j, L* e) {
        const T* scores = column_scores(times, window, part, j);
        const Column column = column_of<kMemory>(times, window, part, layer, j);
        const T* f_w = times.row(Times::source_target, window, part);
        const T* f_u = times.row(Times::source_current, window, part);
        const L* w = layer.w.data();
        const L* u = layer.u.data();
        L largest = zero_lanes<T>();
        for (int i = 0; i < n_; ++i) {
            L s = at(scores, i);
            if constexpr (kMemory)
                s = fma(w[i], column.g_w,
                        fma(u[i], column.g_u, fma(at(f_w, i), column.w, fma(at(f_u, i), column.u, s))));
            e[i] = s;
            largest = i == 0 ? s : max(largest, s);
        }
        L sum = zero_lanes<T>(), weighted = zero_lanes<T>();
        for (int i = 0; i < n_; ++i) {
            const L x = exp(e[i] - largest);
            e[i] = x;
            sum = sum + x;
            weighted = fma(x, layer.h[i], weighted);
        }
        layer.inverse[j] = L::broadcast(T(1)) / sum;
        layer.mean[j] = weighted * layer.inverse[j];
    }

    // ---- backward: du_ holds the gradient by u after the layer, then that by u before it

    template <bool kMemory>
    void layer_back(const Times& times, int window, int part, const Layer& layer, bool last, Times& gradient) {
        du_before_ = du_;  // u_j <- u_j + ...
        for (size_t i = 0; i <= count_; ++i) dh_[i] = dw_[i] = zero_lanes<T>();
        if (last) {
            columns_back<kMemory, 1>(times, window, part, layer, count_, last, gradient);
        } else {
            for (size_t j = 0; j < count_; ++j) dh_[j] = mixing_ * du_[j];  // u_j <- ... + xi h_j
            size_t j = 0;
            for (; j + 1 <= count_; j += 2) columns_back<kMemory, 2>(times, window, part, layer, j, last, gradient);
            if (j <= count_) columns_back<kMemory, 1>(times, window, part, layer, j, last, gradient);
        }
        source_back<kMemory>(times, window, part, layer, gradient);
        du_.swap(du_before_);
    }

    // h_i = written_i + b w_i + c u_i and w_j = gamma u_{j+1}
    template <bool kMemory>
    void source_back(const Times& times, int window, int part, const Layer& layer, Times& gradient) {
        T* written = gradient.row(Times::written, window, part);
        for (int i = 0; i < n_; ++i) add(written + i * kVirtualLanes, dh_[i]);
        if constexpr (!kMemory) return;
        const L b = times.scalar(0, part), c = times.scalar(1, part);
        L db = gradient.scalar(0, part), dc = gradient.scalar(1, part);
        for (size_t i = 0; i < count_; ++i) {
            db = fma(dh_[i], layer.w[i], db);
            dc = fma(dh_[i], layer.u[i], dc);
            du_before_[i] = fma(c, dh_[i], du_before_[i]);
            dw_[i] = fma(b, dh_[i], dw_[i]);
        }
        gradient.scalar(0, part) = db;
        gradient.scalar(1, part) = dc;
        for (size_t i = 0; i < count_; ++i) du_before_[i + 1] = fma(gamma_, dw_[i], du_before_[i + 1]);
    }

    // u_j <- u_j + (1 - xi) mean_j,  mean_j = sum_i A_ij h_i,  A_ij = e_ij / sum_i e_ij   (query: without 1 - xi)
    //
    //     dscore_ij = (1 - xi) du_j A_ij (h_i - mean_j),   dh_i += (1 - xi) du_j A_ij
    //
    // kColumns columns at once load and store a source's sums only once; the order of the sums stays the same.
    template <bool kMemory, int kColumns>
    void columns_back(const Times& times, int window, int part, const Layer& layer, size_t first, bool last,
                      Times& gradient) {
        const L* e[kColumns];
        T* dscores[kColumns];
        L weight[kColumns], mean[kColumns], sums[kColumns][4];
        Column column[kColumns];
        for (int k = 0; k < kColumns; ++k) {
            const size_t j = first + k;
            e[k] = layer.e.data() + column_start(j, last);
            dscores[k] = column_scores(gradient, window, part, j);
            weight[k] = du_[j] * layer.inverse[j];
            if (j < count_) weight[k] = weight[k] * share_;
            mean[k] = layer.mean[j];
            column[k] = column_of<kMemory>(times, window, part, layer, j);
            for (L& sum : sums[k]) sum = zero_lanes<T>();
        }
        const T* f_w = times.row(Times::source_target, window, part);
        const T* f_u = times.row(Times::source_current, window, part);
        T* df_w = gradient.row(Times::source_target, window, part);
        T* df_u = gradient.row(Times::source_current, window, part);
        for (int i = 0; i < n_; ++i) {
            const L h = layer.h[i];
            L dh = dh_[i], by_w = zero_lanes<T>(), by_u = by_w, dw = by_w, du = by_w;
            if constexpr (kMemory) {
                by_w = at(df_w, i), by_u = at(df_u, i), dw = dw_[i], du = du_before_[i];
            }
            for (int k = 0; k < kColumns; ++k) {
                const L a = e[k][i] * weight[k];
                const L ds = a * (h - mean[k]);
                dh = dh + a;
                add(dscores[k] + i * kVirtualLanes, ds);
                if constexpr (kMemory) {
                    by_w = fma(ds, column[k].w, by_w);
                    by_u = fma(ds, column[k].u, by_u);
                    dw = fma(ds, column[k].g_w, dw);
                    du = fma(ds, column[k].g_u, du);
                    sums[k][0] = fma(ds, at(f_w, i), sums[k][0]);
                    sums[k][1] = fma(ds, at(f_u, i), sums[k][1]);
                    sums[k][2] = fma(ds, layer.w[i], sums[k][2]);
                    sums[k][3] = fma(ds, layer.u[i], sums[k][3]);
                }
            }
            dh_[i] = dh;
            if constexpr (kMemory) {
                by_w.store(df_w + i * kVirtualLanes);
                by_u.store(df_u + i * kVirtualLanes);
                dw_[i] = dw;
                du_before_[i] = du;
            }
        }
        if constexpr (kMemory)
            for (int k = 0; k < kColumns; ++k)
                column_sums_back(times, window, part, layer, first + k, sums[k], gradient);
    }

    // score_ij = ... + f_w w_j + f_u u_j + w_i (g_w + Q_ww w_j + Q_wu u_j) + u_i (g_u + Q_uw w_j + Q_uu u_j)
    void column_sums_back(const Times& times, int window, int part, const Layer& layer, size_t j, const L* sums,
                          Times& gradient) {
        const L w = layer.w[j], u = layer.u[j], dg_w = sums[2], dg_u = sums[3];
        add(column_row(gradient, Times::column_target, Times::query_target, window, part, j), dg_w);
        add(column_row(gradient, Times::column_current, Times::query_current, window, part, j), dg_u);
        const L products[4] = {dg_w * w, dg_w * u, dg_u * w, dg_u * u};
        for (int k = 0; k < 4; ++k) gradient.scalar(2 + k, part) = gradient.scalar(2 + k, part) + products[k];
        if (j < count_) dw_[j] = dw_[j] + fma(times.scalar(2, part), dg_w, fma(times.scalar(4, part), dg_u, sums[0]));
        du_before_[j] = du_before_[j] + fma(times.scalar(3, part), dg_w, fma(times.scalar(5, part), dg_u, sums[1]));
    }

    int n_;
    size_t count_;
    L gamma_, mixing_, share_;
    std::vector<Layer> tape_;
    std::vector<L> du_, du_before_;  // n+1
    std::vector<L> dh_, dw_;         // n, and one spare entry
};

namespace {

template <class T>
class SoftmaxTdWindowKernel final : public SoftmaxTdWindows<T> {
    using L = Lanes<T>;

  public:
    explicit SoftmaxTdWindowKernel(const SoftmaxTdShape& shape)
        : shape_(shape), times_(shape), gradient_(shape), network_(shape.layers, shape.context_length) {}

    void values(const SoftmaxTdInput<T>& in, T* values) override {
        start(in);
        for (int part = 0; part < kParts; ++part)
            for (int window = 0; window < windows_; ++window) {
                T value[kLanes];
                network_.forward(times_, window, part).store(value);
                for (int i = 0; i < kLanes; ++i) {
                    const int number = (part * kLanes + i) * windows_ + window;
                    if (number < shape_.batch) values[number] = value[i];
                }
            }
    }

    T td_loss(const SoftmaxTdInput<T>& in, T* table_gradient) override {
        start(in);
        gradient_.place(in.states);
        gradient_.clear();
        L loss[kParts];
        for (int part = 0; part < kParts; ++part) loss[part] = run_part(in, part);
        for (int i = 0; i < SoftmaxTdTables{shape_.num_states}.size(); ++i) table_gradient[i] = T(0);
        gradient_.gather(table_gradient);
        return sum_lanes(loss) / static_cast<T>(shape_.batch);
    }

  private:
    void start(const SoftmaxTdInput<T>& in) {
        times_.place(in.states);
        times_.fill(in.tables);
        network_.set(in.gamma, in.mixing);
    }

    // delta = R_{n+1} + gamma v(next window) - v for all windows of kLanes lanes, from the last to the first: v is
    // then the next v_next. loss = mean delta^2, so dv = -2 delta / B with the target held fixed.
    L run_part(const SoftmaxTdInput<T>& in, int part) {
        const L gamma = L::broadcast(in.gamma);
        const L scale = L::broadcast(T(-2) / static_cast<T>(shape_.batch));
        L loss = zero_lanes<T>();
        L v_next = network_.forward(times_, windows_, part);
        for (int window = windows_ - 1; window >= 0; --window) {
            const L v = network_.forward(times_, window, part);
            const L delta = (fma(gamma, v_next, reward(in, window, part)) - v) * mask(window, part);
            loss = fma(delta, delta, loss);
            network_.backward(times_, window, part, scale * delta, gradient_);
            v_next = v;
        }
        return loss;
    }

    // R_{n+1}, received when the query's state is left.
    L reward(const SoftmaxTdInput<T>& in, int window, int part) const {
        T rewards[kLanes];
        for (int i = 0; i < kLanes; ++i)
            rewards[i] = in.rewards[in.states[(part * kLanes + i) * windows_ + window + shape_.context_length]];
        return L::load(rewards);
    }
    // 1 for lanes whose window is one of the B, else 0.
    L mask(int window, int part) const {
        T mask[kLanes];
        for (int i = 0; i < kLanes; ++i) mask[i] = (part * kLanes + i) * windows_ + window < shape_.batch ? T(1) : T(0);
        return L::load(mask);
    }

    SoftmaxTdShape shape_;
    int windows_ = shape_.windows_a_lane();
    SoftmaxTdTimes<T> times_, gradient_;
    SoftmaxTdLanes<T> network_;
};

}  // namespace

template <class T>
SoftmaxTdWindows<T>* make_softmax_td_windows(const SoftmaxTdShape& shape) {
    return new SoftmaxTdWindowKernel<T>(shape);
}

template SoftmaxTdWindows<float>* make_softmax_td_windows(const SoftmaxTdShape&);
#if defined(EMERGENCE_LANES_GENERIC)
template SoftmaxTdWindows<double>* make_softmax_td_windows(const SoftmaxTdShape&);
#endif

}  // namespace emergence::EMERGENCE_LANES
