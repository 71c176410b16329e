// read: numbers of saved runs, written as quantities.

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/saved_runs.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/views/run_views.h"

namespace emergence::cli {
namespace {

// Numbers of saved runs; without runs the words for them, without quantities what each run has.
struct ReadRequest {
    std::vector<std::string> folders;
    std::vector<std::string> quantities;
    bool json = false;
};

void print_words(const ReadRequest& request, const Environment& environment) {
    Json json = Json::array();
    for (const QuantityWord& word : quantity_words()) {
        json.push_back({{"word", word.word}, {"form", word.form}, {"help", word.help}, {"group", word.group}});
        if (!request.json) environment.out << fmt::format("{:<44} {}\n", word.form, word.help);
    }
    if (request.json) print_json({{"words", json}}, environment.out);
}

void print_available(const std::vector<ComparedRun>& runs, const ReadRequest& request, const Environment& environment) {
    Json json = Json::array();
    for (const ComparedRun& run : runs) {
        Json quantities = Json::array();
        if (!request.json && runs.size() > 1) environment.out << run.name << ":\n";
        for (const AvailableQuantity& one : available_quantities({run.snapshot, run.history})) {
            quantities.push_back({{"quantity", one.text}, {"help", one.help}});
            if (!request.json) environment.out << fmt::format("{:<44} {}\n", one.text, one.help);
        }
        json.push_back({{"run", run.name}, {"quantities", quantities}});
    }
    if (request.json) print_json({{"runs", json}}, environment.out);
}

std::string shown_number(double value) { return std::isnan(value) ? "–" : fmt::format("{:.6g}", value); }

// One number per seed of each run.
Json read_seeds(const std::vector<ComparedRun>& runs, const Quantity& quantity, const ReadRequest& request,
                const Environment& environment) {
    Json json = {{"quantity", quantity.text}, {"seeds", Json::array()}};
    if (!request.json) environment.out << quantity.text << '\n';
    for (const ComparedRun& run : runs)
        for (const SeedValue& one : values({run.snapshot, run.history}, quantity)) {
            json["seeds"].push_back({{"run", run.name},
                                     {"index", one.index},
                                     {"seed", one.number},
                                     {"failed", one.failed},
                                     {"value", json_number(one.value)}});
            if (request.json) continue;
            const std::string of = runs.size() > 1 ? run.name + ", " : "";
            environment.out << fmt::format("  {}seed {}: {}{}\n", of, one.number, shown_number(one.value),
                                           one.failed ? " (failed)" : "");
        }
    return json;
}

// Of all runs that are read: they are in no mean.
size_t count_failed_in(const std::vector<RunView>& runs) {
    size_t failed = 0;
    for (const RunView& run : runs) failed += static_cast<size_t>(count_networks(*run.snapshot).failed);
    return failed;
}

Json read_number(const std::vector<RunView>& runs, const Quantity& quantity, const ReadRequest& request,
                 const Environment& environment) {
    const Measurement number = measured(runs, quantity);
    const bool of_networks = number.n > 0 || std::isnan(number.value);
    const size_t failed = of_networks ? count_failed_in(runs) : 0;
    if (!request.json)
        environment.out << fmt::format(
            "{}: {}{}{}\n", quantity.text,
            std::isnan(number.value) ? fmt::format("– (n = {})", number.n) : measured_text(number),
            number.detail.empty() ? "" : "; " + number.detail,
            failed == 0 ? "" : fmt::format("; {} failed", counted(failed, "network")));
    Json json = {{"quantity", quantity.text}, {"value", json_number(number.value)}, {"n", number.n}};
    if (failed > 0) json["failed"] = failed;
    json["low"] = number.interval ? json_number(number.interval->low) : Json();
    json["high"] = number.interval ? json_number(number.interval->high) : Json();
    if (!number.detail.empty()) json["detail"] = number.detail;
    return json;
}

int run_read(const ReadRequest& request, const Environment& environment) {
    std::vector<Quantity> quantities;
    for (const std::string& text : request.quantities) quantities.push_back(parse_quantity(text));
    if (request.folders.empty() && !quantities.empty())
        throw InputError("read: no run is named. Write the run's folder before --quantity");
    if (request.folders.empty()) {
        print_words(request, environment);
        return kDone;
    }
    const std::vector<ComparedRun> runs = saved_runs(request.folders, environment);
    std::vector<RunView> views;
    for (const ComparedRun& run : runs) views.emplace_back(run.snapshot, run.history, run.name);
    if (quantities.empty()) {
        print_available(runs, request, environment);
        return kDone;
    }
    Json json = {{"runs", Json::array()}, {"quantities", Json::array()}};
    for (const ComparedRun& run : runs) json["runs"].push_back(run.name);
    for (const Quantity& quantity : quantities)
        json["quantities"].push_back(is_of_seeds(quantity) ? read_seeds(runs, quantity, request, environment)
                                                           : read_number(views, quantity, request, environment));
    if (request.json) print_json(json, environment.out);
    return kDone;
}

}  // namespace

Command read_command() {
    return command_of<ReadRequest>(
        "read", "Print numbers of saved runs; without --quantity list what a run has, alone the words for it",
        [](Options& options, ReadRequest& request) {
            options.texts("folder", "DIR", "Folders of runs; an expression may name several of them", request.folders);
            options.texts("--quantity", "Q",
                          "For example 'median(metric msve of emerged)' (may be repeated; see handbook quantities)",
                          request.quantities, true);
            options.json(request.json);
        },
        run_read);
}

}  // namespace emergence::cli
