// Handles networks and prompts without a run: prompts of a run's tasks, forward passes, which algorithm a network
// computes, the networks of the bench.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "app/python/native/lab_run.h"
#include "core/base/error.h"
#include "core/experiments/identify.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/registry.h"
#include "core/measures/known_networks.h"
#include "core/measures/verdict.h"

namespace emergence::python {
namespace {

using namespace py::literals;

py::dict dict_of_network(const IdentifiedNetwork& network) {
    const auto number = [](const IdentifiedNumber& one) { return py::make_tuple(one.value, one.low, one.high); };
    py::dict leaves;
    for (const IdentifiedShare& one : network.leaves)
        leaves[py::str(one.name)] = py::make_tuple(one.value, one.low, one.high);
    py::object star = py::none();
    if (network.star)
        star = py::dict("loss"_a = network.star->loss, "beta"_a = number(network.star->beta),
                        "c"_a = number(network.star->c), "alphas"_a = py::cast(network.star->alphas),
                        "reachable"_a = network.star->reachable, "sentence"_a = network.star->sentence);
    return py::dict("seed"_a = network.seed, "verdict"_a = network.verdict, "of"_a = network.of,
                    "label"_a = network.label, "sentence"_a = network.sentence, "beta"_a = number(network.beta),
                    "c"_a = number(network.c), "discount"_a = number(network.discount), "second"_a = network.second,
                    "leaves"_a = leaves, "alphas"_a = py::cast(network.fit.alphas),
                    "unexplained"_a = network.fit.unexplained, "median_unexplained"_a = network.fit.median_unexplained,
                    "unexplained_by_matrices"_a = network.fit.unexplained_by_matrices,
                    "ties"_a = py::cast(network.ties), "converged"_a = network.fit.converged, "star"_a = star);
}

// weights are those of an earlier moment, or empty for the present ones.
py::list identified(LabRun& run, int threads, const py::dict& weights) {
    Snapshot moment = *run.snapshot(false);
    for (const auto& [key, array] : weights) {
        const std::string name = py::str(key).cast<std::string>();
        moment.weights[name] = array_of(array, name);
    }
    std::vector<IdentifiedNetwork> networks;
    run.outside([&] { networks = identify(moment, threads, own_td(run.own())); });
    py::list all;
    for (const IdentifiedNetwork& network : networks) all.append(dict_of_network(network));
    return all;
}

py::array view_of_matrix(const ConstMatView& matrix) {
    std::vector<double> values;
    for (Index i = 0; i < matrix.rows(); ++i)
        for (Index j = 0; j < matrix.cols(); ++j) values.push_back(matrix(i, j));
    return view_of(std::move(values), {static_cast<size_t>(matrix.rows()), static_cast<size_t>(matrix.cols())});
}

py::array view_of_vector(const Vec& vector) {
    return view_of(std::vector<double>(vector.data(), vector.data() + vector.size()),
                   {static_cast<size_t>(vector.size())});
}

/// Returns held-out contexts of the tasks that settings of experiment td describe, of length context_length.
class Bank {
  public:
    Bank(const py::dict& fields, int size, uint64_t world) {
        const ExperimentInfo& td = find_experiment("td");
        Settings settings(td.fields);
        set_fields(fields, settings);
        td.check(settings);
        config_ = config_from<InContextTdConfig>(settings);
        if (!config_.tasks.has_values())
            throw InputError("task: cart_pole has no true values. Use boyan, loop or files");
        const WithoutLock released;
        bank_ = make_bank(config_, size, {config_.context_length}, world);
    }

    /// For each context, the prompt without a query's features, and what is known about its states.
    py::list contexts() const {
        py::list all;
        const auto task = make_task(bank_->options().tasks);
        for (int i = 0; i < bank_->options().size; ++i) {
            Stream stream = bank_->start_context(*task, static_cast<uint32_t>(i));
            const int d = config_.tasks.d, n = config_.context_length;
            Mat Z = Mat::Zero(2 * d + 1, n + 1);
            for (int t = 0; t < n; ++t) {
                Z.col(t).head(d) = ConstMatView::column(task->row(), d);
                Z(2 * d, t) = task->row()[d];
                task->step(stream);
                Z.col(t).segment(d, d) = bank_->prompt_gamma() * ConstMatView::column(task->row(), d);
            }
            Z.col(n).head(d) = ConstMatView::column(task->row(), d);
            const Mrp& mrp = *task->mrp();
            const Vec stationary = stationary_distribution(mrp);
            all.append(py::dict("prompt"_a = view_of_matrix(Z), "features"_a = view_of_matrix(mrp.features.transpose()),
                                "stationary"_a = view_of_vector(stationary),
                                "v"_a = view_of_vector(bank_->true_values(mrp, stationary)),
                                "transition"_a = view_of_matrix(mrp.transition),
                                "reward"_a = view_of_vector(mrp.reward), "initial"_a = view_of_vector(mrp.initial)));
        }
        return all;
    }
    /// weights has one weight vector for each context, size x d. The first `fitted` contexts fit, the others judge.
    py::dict read(const py::handle& weights, int fitted, int layers) const {
        const Mat all = matrix_of(weights);
        std::vector<Vec> fit_to, judged;
        for (Index i = 0; i < all.rows(); ++i) (i < fitted ? fit_to : judged).push_back(all.row(i).transpose());
        IdentifiedNetwork network;
        {
            const WithoutLock released;
            const VerdictPrompts prompts(*bank_, 0, PlaceAxis::gradient, fitted, static_cast<int>(judged.size()));
            const std::vector<Landmark> landmarks = landmarks_of(PlaceAxis::gradient, 1);
            network = identified_as(
                verdict(prompts.fit.in_lanes(fit_to), prompts.judge.in_lanes(judged), layers, prompts, landmarks),
                landmarks, PlaceAxis::gradient, bank_->prompt_gamma());
        }
        return dict_of_network(network);
    }
    /// Returns batch TD's weight vector for each context after so many steps, size x d.
    py::array batch_td(int layers, float alpha) const {
        const auto vectors = bank_->batch_td_vectors(0, layers, alpha);
        Mat all(static_cast<Index>(vectors.size()), config_.tasks.d);
        for (size_t i = 0; i < vectors.size(); ++i) all.row(static_cast<Index>(i)) = vectors[i].transpose();
        return view_of_matrix(all);
    }

  private:
    InContextTdConfig config_;
    std::shared_ptr<const HeldOutBank> bank_;
};

py::array stacked(const std::vector<Mat>& layers) {
    std::vector<double> values;
    for (const Mat& layer : layers)
        for (Index i = 0; i < layer.rows(); ++i)
            for (Index j = 0; j < layer.cols(); ++j) values.push_back(layer(i, j));
    return view_of(std::move(values),
                   {layers.size(), static_cast<size_t>(layers[0].rows()), static_cast<size_t>(layers[0].cols())});
}

// Returns networks whose algorithm is known and unchanged by noise, with the verdict on each.
py::list bench_networks(int count, int d, int layers, double noise, uint64_t seed) {
    const KnownOptions options{d, layers, noise, seed};
    std::vector<KnownNetwork> networks;
    std::vector<std::string> verdicts;
    interruptible([&](const std::atomic<bool>& stop) {
        const VerdictPrompts prompts(HeldOutBank(known_bank(d)), 0, PlaceAxis::gradient);
        const std::vector<Landmark> landmarks = landmarks_of(PlaceAxis::gradient, 0);
        for (uint32_t set = 0; networks.size() < static_cast<size_t>(count) && !stop; ++set)
            for (KnownNetwork& network : known_networks(options, set)) {
                if (networks.size() == static_cast<size_t>(count) || stop) break;
                if (network.changed_by_noise(prompts.judge) > kWrecked) continue;
                verdicts.emplace_back(name_of(verdict(network.view(), prompts, landmarks).name));
                networks.push_back(std::move(network));
            }
    });
    py::list all;
    for (size_t i = 0; i < networks.size(); ++i) {
        const KnownNetwork& network = networks[i];
        std::vector<Mat> P, Q;
        for (int l = 0; l < layers; ++l) P.push_back(network.P_at(l)), Q.push_back(network.Q_at(l));
        all.append(py::dict("P"_a = stacked(P), "Q"_a = stacked(Q), "truth"_a = name_of(network.truth),
                            "built"_a = network.built, "matrices"_a = network.matrices,
                            "disguise"_a = name_of(network.disguise), "verdict"_a = verdicts[i]));
    }
    return all;
}

}  // namespace

void add_networks(py::module_& module) {
    py::class_<Bank>(module, "Bank")
        .def(py::init<const py::dict&, int, uint64_t>())
        .def("contexts", &Bank::contexts)
        .def("read", &Bank::read)
        .def("batch_td", &Bank::batch_td);
    module.def("identified", identified);
    module.def("bench_networks", bench_networks);
}

}  // namespace emergence::python
