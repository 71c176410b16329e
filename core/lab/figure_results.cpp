#include "core/lab/figure_results.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/local_time.h"
#include "core/base/version.h"

namespace emergence {

Stopwatch::Stopwatch() : start_(std::chrono::steady_clock::now()), cpu_start_(std::clock()) {}

double Stopwatch::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Stopwatch::cpu_seconds() const {
    return added_ + static_cast<double>(std::clock() - cpu_start_) / static_cast<double>(CLOCKS_PER_SEC);
}

std::string named_settings(const Settings& settings) {
    std::string named;
    for (const FieldInfo& field : settings.fields())
        if (settings.value(field.name) != field.default_value || field.name == "seed" ||
            field.name == "seeds")
            named += fmt::format("{}{} = {}", named.empty() ? "" : ", ", field.name,
                                 to_text(settings.value(field.name)));
    return named;
}

std::vector<std::string> panel_settings(const std::vector<FinishedRun>& runs, const Settings& settings) {
    std::vector<std::string> panels;
    for (const FinishedRun& run : runs) {
        std::string changes;
        const Settings& own = run.snapshot.settings;
        for (const FieldInfo& field : own.fields())
            if (!settings.has(field.name) || own.value(field.name) != settings.value(field.name))
                changes += fmt::format("{}{} = {}", changes.empty() ? "" : ", ", field.name,
                                       to_text(own.value(field.name)));
        if (!changes.empty()) panels.push_back(run.label.empty() ? changes : run.label + ": " + changes);
    }
    return panels;
}

ClaimResults claim_results(const std::string& figure, const Settings& settings, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured) {
    const auto tenths = [](double seconds) { return std::round(seconds * 10.0) / 10.0; };
    ClaimResults results{figure,
                         version(),
                         named_settings(settings),
                         tenths(watch.seconds()),
                         tenths(watch.cpu_seconds()),
                         threads,
                         {},
                         commit(),
                         local_time("%Y-%m-%d")};
    for (const MeasuredClaim& claim : measured) results.claims[claim.name] = claim.measurement;
    return results;
}

}  // namespace emergence
