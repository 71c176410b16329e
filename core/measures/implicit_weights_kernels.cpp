#include "core/algorithms/batch_td_lanes.h"
#include "core/measures/lane_measures.h"
#include "core/models/gram_network.h"
#include "core/tasks/window_grams.h"

namespace emergence::EMERGENCE_LANES {
namespace {

using L = Lanes<float>;

// Loads the Gram matrices of part `part` of the whole bank, which has kParts parts per group.
void load_gram(const GramBank& bank, int part, L* gram) {
    const int rows = 2 * bank.d + 1;
    const float* source = bank.grams + part / kParts * bank.group_size() + part % kParts * kLanes;
    for (int i = 0; i < rows * rows; ++i) gram[i] = L::load(source + i * kVirtualLanes);
}
float* weight_of(const GramBank& bank, int part, int i, float* weights) {
    return weights + (part / kParts * bank.d + i) * kVirtualLanes + part % kParts * kLanes;
}

using Doubles = Lanes<double>;

Doubles load_floats(const float* source) {
    double wide[kLanes];
    for (int i = 0; i < kLanes; ++i) wide[i] = static_cast<double>(source[i]);
    return Doubles::load(wide);
}

// Products are rounded before they are added, as in HeldOutBank's own sums: no fma.
template <class First, class Second>
Doubles dot_of(int d, const First& a, const Second& b) {
    Doubles sum = zero_lanes<double>();
    for (int i = 0; i < d; ++i) sum = sum + a(i) * b(i);
    return sum;
}

// Writes -r of a part, of which Z_L[D, query] = r' query. r: D entries, overwritten.
void write_implicit(const GramBank& bank, GramNetwork<float>& network, int part, const L* grams, std::vector<L>& r,
                    float* weights) {
    network.read_out(grams, r.data());
    for (int i = 0; i < bank.d; ++i) (zero_lanes<float>() - r[i]).store(weight_of(bank, part, i, weights));
}

void run_masked(const GramBank& bank, const LinearAttentionView& view, float* weights) {
    NetworkShape shape = view.shape;
    shape.layers = view.layers;
    GramWeights<float> flat(shape);
    const auto network = make_masked_network<float>(flat.sizes());
    const float* joined = flat.joined(view.P);
    network->set_weights(joined, joined + flat.sizes().of_head(), 1.0F / static_cast<float>(bank.context_length));
    const L lambda = L::broadcast(flat.lambda(view.P)), gamma = L::broadcast(bank.gamma);
    MaskedSums<float> sums(shape.rows(), shape.heads());
    std::vector<L> z(shape.rows(), zero_lanes<float>()), r(z);
    const int d = bank.d;
    for (int part = 0; part < bank.groups * kParts; ++part) {
        const float* states = bank.states + part / kParts * bank.group_states() + part % kParts * kLanes;
        const auto entry = [&](int t, int k) { return L::load(states + (t * (d + 1) + k) * kVirtualLanes); };
        sums.clear();
        for (int t = 0; t < bank.context_length; ++t) {
            for (int k = 0; k < d; ++k) {
                z[k] = entry(t, k);
                z[d + k] = gamma * entry(t + 1, k);
            }
            z[2 * d] = entry(t, d);
            sums.add(z.data(), lambda);
        }
        write_implicit(bank, *network, part, sums.grams(), r, weights);
    }
}

}  // namespace

void network_implicit_weights(const GramBank& bank, const LinearAttentionView& view, float* weights) {
    if (view.shape.is_masked()) return run_masked(bank, view, weights);
    const int rows = 2 * bank.d + 1;
    const auto network = make_gram_network<float>({rows, view.layers, view.stored});
    network->set_weights(view.P, view.Q, 1.0F / static_cast<float>(bank.context_length));
    std::vector<L> gram(rows * rows), r(rows);
    for (int part = 0; part < bank.groups * kParts; ++part) {
        load_gram(bank, part, gram.data());
        write_implicit(bank, *network, part, gram.data(), r, weights);
    }
}

void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights) {
    const int rows = 2 * bank.d + 1;
    BatchTdLanes<float> td(bank.d, layers);
    std::vector<L> gram(rows * rows);
    for (int part = 0; part < bank.groups * kParts; ++part) {
        load_gram(bank, part, gram.data());
        td.run<false>(gram.data(), alpha, 1.0F / static_cast<float>(bank.context_length));
        for (int i = 0; i < bank.d; ++i) td.weight()[i].store(weight_of(bank, part, i, weights));
    }
}

// Compares group number `group` of two arrays of weight vectors. Without values (C is null) only the cosine is written.
void compare_weights(const ErrorGeometry<double>& geometry, int group, const float* weights, const float* other,
                     ComparedGroup& compared) {
    const int d = geometry.d;
    std::vector<Doubles> store(3 * d);
    Doubles *w = store.data(), *v = w + d, *e = v + d;
    for (int lane = 0; lane < kVirtualLanes; lane += kLanes) {
        for (int i = 0; i < d; ++i) {
            w[i] = load_floats(weights + (group * d + i) * kVirtualLanes + lane);
            v[i] = load_floats(other + (group * d + i) * kVirtualLanes + lane);
            e[i] = w[i] - v[i];
        }
        const auto entry = [](const Doubles* of) { return [of](int i) { return of[i]; }; };
        const Doubles norms = sqrt(dot_of(d, entry(w), entry(w)) * dot_of(d, entry(v), entry(v)));
        (dot_of(d, entry(w), entry(v)) / norms).store(compared.cosine + lane);
        double norm[kLanes];
        norms.store(norm);
        for (int i = 0; i < kLanes; ++i)
            if (norm[i] == 0) compared.cosine[lane + i] = 0;
        if (geometry.C == nullptr) continue;
        const double* C = geometry.C + group * d * d * kVirtualLanes + lane;
        const double* b = geometry.b + group * d * kVirtualLanes + lane;
        const Doubles c = Doubles::load(geometry.c + group * kVirtualLanes + lane);
        const auto row = [&](int i) {
            return [C, d, i](int j) { return Doubles::load(C + (i * d + j) * kVirtualLanes); };
        };
        const auto rewards = [b](int i) { return Doubles::load(b + i * kVirtualLanes); };
        const auto error = [&](const Doubles* of, double* errors, double* terms) {
            Doubles quadratic = zero_lanes<double>();
            for (int i = 0; i < d; ++i) {
                const Doubles term = of[i] * dot_of(d, row(i), entry(of));
                if (terms != nullptr) term.store(terms + i * kVirtualLanes + lane);
                quadratic = quadratic + term;
            }
            (quadratic - Doubles::broadcast(2.0) * dot_of(d, entry(of), rewards) + c).store(errors + lane);
        };
        error(w, compared.error, compared.square);
        error(v, compared.other_error, nullptr);
        for (int i = 0; i < d; ++i)
            (e[i] * dot_of(d, row(i), entry(e))).store(compared.difference + i * kVirtualLanes + lane);
    }
}

// The value error of every weight vector: groups x 16. weights: groups x d x 16.
void value_errors(const ErrorGeometry<float>& geometry, const float* weights, float* errors) {
    const int d = geometry.d;
    const L minus_two = L::broadcast(-2.0F);
    for (int part = 0; part < geometry.groups * kParts; ++part) {
        const int group = part / kParts, lane = part % kParts * kLanes;
        const float* C = geometry.C + group * d * d * kVirtualLanes + lane;
        const float* b = geometry.b + group * d * kVirtualLanes + lane;
        const float* w = weights + group * d * kVirtualLanes + lane;
        L error = L::load(geometry.c + group * kVirtualLanes + lane);
        for (int i = 0; i < d; ++i) {
            L row = minus_two * L::load(b + i * kVirtualLanes);
            for (int j = 0; j < d; ++j)
                row = fma(L::load(C + (i * d + j) * kVirtualLanes), L::load(w + j * kVirtualLanes), row);
            error = fma(L::load(w + i * kVirtualLanes), row, error);
        }
        error.store(errors + group * kVirtualLanes + lane);
    }
}

}  // namespace emergence::EMERGENCE_LANES
