#include "core/experiments/bench/bench.h"

#include <fmt/format.h>

#include "core/experiments/common_fields.h"
#include "core/experiments/logged_seed.h"
#include "core/lab/views/measured.h"

namespace emergence {

void BenchConfig::fields(Fields& f) {
    f.group("networks");
    f(num_layers, "num_layers", "layers L", "Layers of each network: steps of its algorithm.").range(2, 6);
    features_field(f, bank.tasks.d, "Features of a state. Z, P and Q have 2d+1 rows.", 8);
    f(noise, "noise", "noise",
      "Standard deviation of the noise on every entry of disguised networks, as a share of the matrix's largest one.")
        .range(0, 0.2);
    f.group("prompts");
    context_length_field(f, context_length, 100);
    gamma_field(f, bank.tasks.gamma, "Discount factor of the prompts.");
    states_field(f, bank.tasks.num_states, "States of the Boyan chains.", 64);
    stop_after_field(f, num_networks, "num_networks", "networks",
                     "Networks of each seed. Every other six calibrate the thresholds, the others test them.", 10000)
        .live();
    first_seed_field(f, seed, "Each draws its own networks.");
    num_seeds_field(f, seeds, "How many independent sets of networks. Scores are of all together.");
    log_interval_field(f, log_interval, "networks");
}

BenchPrompts BenchConfig::prompts() const {
    BankOptions options = bank;
    options.context_lengths = {context_length};
    return BenchPrompts(options, num_layers);
}

namespace {

constexpr StudyNames kBench = {"bench", "networks", "num_networks"};
constexpr const char* kNetworkRows = "networks";

Metrics<BenchScores> bench_metrics() {
    Metrics<BenchScores> metrics = {};
    const auto& judges = bench_judges();
    for (size_t judge = 0; judge < judges.size(); ++judge)
        metrics.add(
            {std::string("balanced_") + judges[judge].name, judges[judge].label,
             fmt::format("Balanced accuracy of \"TD or not\" on the half that tests, so far. {}", judges[judge].help),
             [judge](const BenchScores& scores) { return scores.balanced(judge).value; }});
    return metrics;
}

class BenchSeed final : public CountedSeed<BenchScores> {
  public:
    BenchSeed(const BenchConfig& config, int seed_index, std::shared_ptr<const BenchPrompts> prompts)
        : CountedSeed(static_cast<uint64_t>(config.seed + seed_index), seed_index, config.log_interval,
                      bench_metrics()),
          config_(config),
          prompts_(std::move(prompts)) {}

    void state(Archive& archive) override {
        std::vector<std::vector<double>> rows;
        for (const JudgedNetwork& network : networks_) rows.push_back(numbers_of(network));
        archive.rows(kNetworkRows, rows, numbers_in_network());
        progress(archive);
        archive.require(static_cast<int64_t>(rows.size()) == step_, kNetworkRows, "has another number of networks");
        if (!archive.loads()) return;
        networks_.clear();
        for (const auto& row : rows) {
            archive.require(are_numbers_of_network(row), kNetworkRows, "has a network that the bench cannot have made");
            networks_.push_back(network_of_numbers(row));
        }
    }
    const std::vector<JudgedNetwork>& networks() const { return networks_; }

  protected:
    void take_step() override {
        networks_.push_back(judged_network(*prompts_, config_.bank.tasks.d, config_.num_layers, config_.noise, seed(),
                                           static_cast<uint32_t>(step_++)));
    }
    BenchScores measure() override { return BenchScores({&networks_}, 0); }

  private:
    BenchConfig config_;
    std::shared_ptr<const BenchPrompts> prompts_;
    std::vector<JudgedNetwork> networks_;
};

class BenchStudy final : public StudyOf<BenchConfig, BenchSeed, BenchPrompts> {
  public:
    explicit BenchStudy(const Settings& settings) : StudyOf(kBench, settings) {
        shared_ = std::make_shared<const BenchPrompts>(config_.prompts());
        metrics_ = bench_metrics().table();
        HistoryPlot plot("balanced", "TD or not, so far");
        plot.y("balanced accuracy").from(0).to(1);
        for (size_t judge = 0; judge < bench_judges().size(); ++judge)
            plot.line(metrics_[judge].name).color(static_cast<int>(judge));
        plot.note(
            "Mean of the share of TD that is called TD and of the others that are not, of each seed's networks so "
            "far. Guessing gives one half.");
        metric_plots_ = {plot};
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        std::vector<const std::vector<JudgedNetwork>*> streams;
        std::vector<double> flat;
        for (const BenchSeed* seed : seeds) {
            streams.push_back(&seed->networks());
            for (const JudgedNetwork& network : seed->networks()) {
                const std::vector<double> numbers = numbers_of(network);
                flat.insert(flat.end(), numbers.begin(), numbers.end());
            }
        }
        const BenchScores scores(streams, kLiveDraws);
        snapshot.matrices = bench_matrices(scores, seeds.size());
        snapshot.plots = bench_plots(scores);
        snapshot.scalars = bench_scalars(scores);
        snapshot.weights[kNetworkRows] = {{flat.size() / numbers_in_network(), numbers_in_network()}, flat};
        snapshot.counted = {static_cast<int64_t>(scores.size()), "networks that test"};
        if (scores.size() > 0)
            snapshot.headline =
                fmt::format("the map names {:.0f} % of them right", 100 * scores.named_right(kMapJudge).value);
    }
};

}  // namespace

std::vector<std::vector<JudgedNetwork>> judged_networks(const Snapshot& snapshot) {
    std::vector<std::vector<JudgedNetwork>> streams;
    const std::vector<double> flat = as_doubles(snapshot.weights.at(kNetworkRows));
    const size_t columns = numbers_in_network(), seeds = std::max<size_t>(1, snapshot.seeds.size()),
                 each = flat.size() / columns / seeds;
    for (size_t seed = 0; seed < seeds; ++seed) {
        streams.emplace_back();
        for (size_t i = 0; i < each; ++i) {
            const auto first = flat.begin() + static_cast<std::ptrdiff_t>((seed * each + i) * columns);
            streams.back().push_back(network_of_numbers({first, first + static_cast<std::ptrdiff_t>(columns)}));
        }
    }
    return streams;
}

ExperimentInfo bench() {
    return experiment_of<BenchStudy>(
        kBench, "Bench: how far to trust each judge",
        "Networks whose algorithm is known, because they are built or taught to run it, are disguised and put before "
        "seven judges: the weights' pattern, IWS, the line-up, the map, two linear probes, interchange. Half of them "
        "calibrate the judges' thresholds, the others show what each mistakes for what.",
        {figure_of_bench()}, bench_measures());
}

}  // namespace emergence
