// Carries out identify, which finds the algorithm that each network of a run or a file of weights computes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/run_request.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/identify.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/settings/embedded_settings.h"

namespace emergence::cli {
namespace {

struct IdentifyRequest {
    std::string path;                  // a run's folder, or a file of weights
    std::vector<std::string> changes;  // "field=value", for weights only
};

namespace fs = std::filesystem;

Snapshot snapshot_of_run(const fs::path& folder, const IdentifyRequest& request, const Environment& environment) {
    if (!request.changes.empty())
        throw InputError("--set: {} is a run, which already has settings. Use --set only with a file of weights",
                         folder.string());
    return RestoredRun(saved_run(folder.string(), environment)).run.outline();
}

// Makes the changes of --set. Returns true if they say how many layers there are.
bool change_settings(const IdentifyRequest& request, Settings& settings) {
    bool layers = false;
    for (const std::string& change : request.changes) {
        const std::string field = field_of(change);
        if (field == "weights")
            throw InputError("--set weights: the weights already come from {}. Leave it out", request.path);
        layers = layers || field == "num_layers";
    }
    apply_changes(request.changes, settings);
    return layers;
}

// Returns what the weights in a file were trained with, or td's defaults with the file's shapes if it has no settings.
Settings settings_of_weights(ArrayFile& file, const IdentifyRequest& request, const ExperimentInfo& td,
                             std::ostream& err) {
    Settings settings(td.fields);
    const bool tells = file.contains(kSettingsKey);
    if (tells) {
        const SettingsFile inside = read_config_of(request.path);
        if (inside.experiment != td.name)
            throw InputError("{}: holds weights of {}, but identify reads networks of experiment {}", request.path,
                             inside.experiment, td.name);
        apply(inside, settings);
    }
    const std::vector<size_t> shape = file.at("P").shape;
    if ((shape.size() != 3 && shape.size() != 4) || shape.back() != shape[shape.size() - 2])
        throw InputError("{}: P has shape {} instead of layers x D x D or seeds x layers x D x D. Give it these sizes",
                         request.path, shape_text(shape));
    const size_t rows = shape.back(), layers = shape[shape.size() - 3];
    if (rows % 2 == 0 || rows < 3)
        throw InputError("{}: P has {} rows, but a prompt has 2d + 1: d features, d of the next state, a reward",
                         request.path, rows);
    try {
        if (!tells) settings.set_from_text("d", std::to_string((rows - 1) / 2));
        if (!tells && layers > 1) {
            settings.set_from_text("num_layers", std::to_string(layers));
            settings.set_from_text("sequential", "true");
        }
    } catch (const InputError& error) {
        throw InputError("{}: P has shape {}: {}", request.path, shape_text(shape), error.what());
    }
    const bool told = change_settings(request, settings) || tells || layers > 1;
    if (!told)
        err << fmt::format(
            "emergence-cli: {}: assuming that its one layer is applied {} times. Otherwise add --set num_layers=L\n",
            request.path, settings.integer("num_layers"));
    // The published code's file has one network, at each logged point.
    const bool several = shape.size() == 4 && !file.contains("xs");
    settings.set_from_text("seeds", std::to_string(several ? shape[0] : 1));
    settings.set_from_text("num_mrps", "0");
    settings.set_from_text("weights", request.path);
    return settings;
}

// Presents a file of weights as an unstarted run of td, with the seed numbers of the file.
Snapshot snapshot_of_weights(const IdentifyRequest& request, const Environment& environment) {
    if (fs::is_directory(request.path))
        throw InputError("{}: this folder holds no readable run. Name a folder with {}, or a file of weights",
                         request.path, kCheckpointFile);
    ArrayFile file(request.path);
    const ExperimentInfo& td = named(environment.experiments, "td", "experiment");
    const Settings settings = settings_of_weights(file, request, td, environment.err);
    td.check(settings);
    ThreadPool pool(1);
    Run run(td.make(settings), pool);
    run.advance_to(0);
    Snapshot snapshot = run.outline();
    const Array* numbers = file.contains(kSettingsKey) ? file.find("seed") : nullptr;
    if (numbers != nullptr && element_count(numbers->shape) == snapshot.seeds.size()) {
        const std::vector<double> seeds = as_doubles(*numbers);
        for (size_t i = 0; i < seeds.size(); ++i) snapshot.seeds[i].seed = static_cast<uint64_t>(seeds[i]);
    }
    return snapshot;
}

std::string interval_text(const IdentifiedNumber& number) {
    if (std::isnan(number.value)) return "\u2013";
    if (!std::isfinite(number.low)) return "not determined";
    const auto rounded = [](double x) { return std::round(100 * x) / 100 + 0.0; };  // adding 0.0 turns -0.00 into 0.00
    return fmt::format("{:.2f} ({:.2f} to {:.2f})", rounded(number.value), rounded(number.low), rounded(number.high));
}

std::string text_of_network(const IdentifiedNetwork& network) {
    std::string text =
        fmt::format("seed {}{}: {}\n", network.seed, network.operated ? ", after surgery" : "", network.sentence);
    if (std::isnan(network.fit.unexplained)) return text;
    std::string alphas;
    for (const double alpha : network.fit.alphas) alphas += fmt::format(" {:.3g}", alpha);
    text += fmt::format("    beta {}, {} {}, step sizes{}{}\n", interval_text(network.beta), network.second,
                        interval_text(network.c), alphas,
                        std::isnan(network.fit.median_unexplained)
                            ? ""
                            : ", median of the prompts " + percent_of(network.fit.median_unexplained));
    std::vector<std::string> leaves;
    for (const IdentifiedShare& one : network.leaves)
        leaves.push_back(fmt::format("{} leaves {}", one.label, percent_of(one.value)));
    if (!leaves.empty()) text += fmt::format("    {}\n", fmt::join(leaves, ", "));
    if (!network.fit.converged)
        text += fmt::format("    the fit has not converged: {} steps, gradient {:.1e}\n", network.fit.steps,
                            network.fit.slope);
    return text;
}

Json json_of_network(const IdentifiedNetwork& network, int64_t d) {
    const auto add = [](Json& json, const std::string& name, const IdentifiedNumber& number) {
        json[name] = json_number(number.value);
        json[name + "_low"] = json_number(number.low);
        json[name + "_high"] = json_number(number.high);
    };
    Json json = {{"name", fmt::format("seed {}", network.seed)},
                 {"d", d},
                 {"seed", network.seed},
                 {"operated", network.operated},
                 {"verdict", network.verdict},
                 {"sentence", network.sentence}};
    add(json, "beta", network.beta);
    add(json, network.second, network.c);
    if (!network.of.empty()) json["of"] = network.of;
    add(json, "discount", network.discount);
    json["leaves"] = Json::object();
    for (const IdentifiedShare& one : network.leaves)
        json["leaves"][one.name] = {json_number(one.value), json_number(one.low), json_number(one.high)};
    json["alphas"] = network.fit.alphas;
    json["unexplained"] = json_number(network.fit.unexplained);
    json["median_unexplained"] = json_number(network.fit.median_unexplained);
    json["unexplained_by_matrices"] = json_number(network.fit.unexplained_by_matrices);
    json["converged"] = network.fit.converged;
    json["steps"] = network.fit.steps;
    json["gradient"] = json_number(network.fit.slope);
    json["ties"] = network.ties;
    if (network.star) {
        const IdentifiedStar& star = *network.star;
        Json of_loss = {{"loss", star.loss}, {"alphas", star.alphas}, {"reachable", star.reachable}};
        add(of_loss, "beta", star.beta);
        add(of_loss, "c", star.c);
        json["star"] = std::move(of_loss);
    }
    return json;
}

// Counts how many of several networks have each verdict, those learned or those after surgery.
std::string verdict_counts(const std::vector<IdentifiedNetwork>& networks, bool operated) {
    std::map<std::string, int> counts;
    int all = 0;
    for (const IdentifiedNetwork& network : networks)
        if (network.operated == operated) ++counts[network.label], ++all;
    if (all < 2) return "";
    const std::string summary =
        listed(counts, [](const auto& one) { return fmt::format("{} {}", one.second, one.first); });
    return fmt::format("of {}{}: {}\n", all, operated ? " after surgery" : "", summary);
}

Answer identify_networks(const IdentifyRequest& request, const Environment& environment) {
    const auto folder = run_folder_at(request.path);
    const Snapshot snapshot =
        folder ? snapshot_of_run(*folder, request, environment) : snapshot_of_weights(request, environment);
    const Settings& settings = snapshot.settings;
    const std::vector<IdentifiedNetwork> networks = identify(snapshot, environment.threads());
    Answer answer{{{"networks", Json::array()}}};
    std::set<std::string> stars;
    for (const IdentifiedNetwork& network : networks) {
        answer.value["networks"].push_back(json_of_network(network, settings.integer("d")));
        answer.text += text_of_network(network);
        if (network.star) stars.insert(network.star->sentence);
    }
    for (const std::string& sentence : stars) answer.text += sentence + '\n';
    answer.text += fmt::format("on prompts with d = {}, n = {}; layers: {}\n", settings.integer("d"),
                               settings.integer("n"), settings.integer("num_layers"));
    answer.text += verdict_counts(networks, false) + verdict_counts(networks, true);
    return answer;
}

}  // namespace

Command identify_command() {
    return answering<IdentifyRequest>(
        "identify", "Find out which algorithm each network of a run or a weights file computes",
        [](Options& options, IdentifyRequest& request) {
            options
                .text("path", "DIR|W.npz", "Folder of a run, or a weights file (NPZ or safetensors with P and Q)",
                      request.path)
                .required();
            options.changes("Settings of td for a file of weights, for example num_layers=3 (see info)",
                            request.changes);
            options.threads();
        },
        identify_networks);
}

}  // namespace emergence::cli
