#include "tests/support/judged.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "core/lab/figures/figure_results.h"

namespace emergence::testing {
namespace {

const Claim& claim_named(const std::string& name) {
    for (const ExperimentInfo& info : experiments())
        for (const Claim& claim : info.claims)
            if (claim.name == name) return claim;
    FAIL("no claim " << name);
    std::abort();
}

}  // namespace

Verdict judged(const std::string& claim, const Measurement& measured) {
    return verdict_of(claim_named(claim), measured);
}

Names caught(const char* experiment, const std::string& figure, const NewSettings& changes) {
    const ExperimentInfo& info = find_experiment(experiment);
    Names claims;
    for (const FigureInfo& one : info.figures) {
        if (one.name != figure) continue;
        Settings settings = started(one, Settings(info.fields));
        for (const auto& [field, value] : changes) settings.set_from_text(field, value);
        for (const auto& [claim, measurement] : one.build(info, settings, {}).measured)
            if (judged(claim, measurement) != Verdict::agrees)
                claims.insert(claim == figure ? "" : claim.substr(figure.size() + 1));
    }
    return claims;
}

}  // namespace emergence::testing
