// identify: which algorithm each network of a run or a file of weights computes.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/json.h"
#include "app/cli/target_of_request.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/experiments/identify.h"
#include "core/files/array_files.h"
#include "core/lab/run.h"
#include "core/lab/thread_pool.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

Snapshot snapshot_of_run(const fs::path& folder, const IdentifyRequest& request,
                         const Environment& environment) {
    if (!request.changes.empty())
        throw InputError(fmt::format("--set: {} is a run and has settings. Use --set with a file of weights",
                                     folder.string()));
    const RunToOpen opened = run_in(folder, [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    });
    if (!opened.notice.empty()) environment.err << fmt::format("emergence-cli: {}\n", opened.notice);
    ThreadPool pool(1);
    Run run(opened.experiment->make(opened.settings), pool);
    restore(*opened.checkpoint, run);
    return run.outline();
}

// A file of weights as a run of td that has not begun. The file's shapes give features, layers and seeds.
Snapshot snapshot_of_weights(const IdentifyRequest& request, const Environment& environment) {
    ArrayFile file(request.path);
    const std::vector<size_t> shape = file.at("P").shape;
    if (shape.size() != 3 && shape.size() != 4)
        throw InputError(fmt::format(
            "{}: P has shape {} instead of layers x D x D or seeds x layers x D x D. Give it these sizes",
            request.path, shape_text(shape)));
    const size_t rows = shape.back(), layers = shape[shape.size() - 3];
    if (rows % 2 == 0 || rows < 3)
        throw InputError(
            fmt::format("{}: P has {} rows, and a prompt has 2d + 1: features, the next state's, a reward",
                        request.path, rows));
    const ExperimentInfo& td = find_experiment_in(environment.experiments, "td");
    Settings settings(td.fields);
    settings.set_from_text("d", std::to_string((rows - 1) / 2));
    settings.set_from_text("seeds", std::to_string(shape.size() == 4 ? shape[0] : 1));
    settings.set_from_text("num_mrps", "0");
    settings.set_from_text("weights", request.path);
    if (layers > 1) {
        settings.set_from_text("num_layers", std::to_string(layers));
        settings.set_from_text("sequential", "true");
    }
    for (const std::string& change : request.changes) apply_change(change, settings);
    td.check(settings);
    ThreadPool pool(1);
    Run run(td.make(settings), pool);
    run.advance_to(0);
    return run.outline();
}

std::string interval_text(const IdentifiedNumber& number) {
    if (std::isnan(number.value)) return "\u2013";
    if (!std::isfinite(number.low)) return "not determined";
    return fmt::format("{:.2f} ({:.2f} to {:.2f})", number.value, number.low, number.high);
}

void print(const IdentifiedNetwork& network, std::ostream& out) {
    out << fmt::format("seed {}: {}: {}\n", network.seed, network.verdict, network.sentence);
    if (std::isnan(network.unexplained)) return;
    std::string alphas;
    for (const double alpha : network.alphas) alphas += fmt::format(" {:.3g}", alpha);
    out << fmt::format("    beta {}, c {}, step sizes{}, median of the prompts {:.2g} %\n",
                       interval_text(network.beta), interval_text(network.c), alphas,
                       100 * network.median_unexplained);
    std::string ties;
    for (const std::string& tie : network.ties_in_words) ties += (ties.empty() ? "" : ", ") + tie;
    if (!ties.empty()) out << fmt::format("    its values cannot tell it from: {}\n", ties);
    if (!network.converged)
        out << fmt::format("    the fit has not come to rest: {} steps, gradient {:.1e}\n", network.steps,
                           network.gradient);
}

Json json_of_network(const IdentifiedNetwork& network) {
    const auto add = [](Json& json, const std::string& name, const IdentifiedNumber& number) {
        json[name] = json_number(number.value);
        json[name + "_low"] = json_number(number.low);
        json[name + "_high"] = json_number(number.high);
    };
    Json json = {{"seed", network.seed}, {"verdict", network.verdict}, {"sentence", network.sentence}};
    add(json, "beta", network.beta);
    add(json, "c", network.c);
    json["alphas"] = network.alphas;
    json["unexplained"] = json_number(network.unexplained);
    json["median_unexplained"] = json_number(network.median_unexplained);
    json["unexplained_by_matrices"] = json_number(network.unexplained_by_matrices);
    json["converged"] = network.converged;
    json["steps"] = network.steps;
    json["gradient"] = json_number(network.gradient);
    json["ties"] = network.ties;
    return json;
}

}  // namespace

int run_identify(const IdentifyRequest& request, const Environment& environment) {
    const auto folder = run_folder_at(request.path);
    const Snapshot snapshot =
        folder ? snapshot_of_run(*folder, request, environment) : snapshot_of_weights(request, environment);
    const std::vector<IdentifiedNetwork> networks =
        identify(snapshot, request.threads.value_or(default_threads()));
    if (request.json) {
        Json all = Json::array();
        for (const IdentifiedNetwork& network : networks) all.push_back(json_of_network(network));
        print_json({{"networks", all}}, environment.out);
        return kDone;
    }
    std::map<std::string, int> counts;
    for (const IdentifiedNetwork& network : networks) {
        print(network, environment.out);
        ++counts[network.verdict];
    }
    if (networks.size() < 2) return kDone;
    std::string summary;
    for (const auto& [verdict, count] : counts)
        summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, verdict);
    environment.out << fmt::format("of {}: {}\n", networks.size(), summary);
    return kDone;
}

}  // namespace emergence::cli
