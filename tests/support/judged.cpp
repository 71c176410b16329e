#include "tests/support/judged.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "tests/claims/measures.h"
#include "tests/support/places.h"

namespace emergence::testing {

const std::vector<Claim>& shipped_claims() {
    static const std::vector<Claim> claims = claims_in(source_dir() / "assets/figures", measured_experiments());
    return claims;
}

namespace {

const Claim& claim_named(const std::string& name) {
    for (const Claim& claim : shipped_claims())
        if (claim.name == name) return claim;
    FAIL("no claim " << name);
    std::abort();
}

}  // namespace

Verdict judged(const std::string& claim, const Measurement& measured) {
    return verdict_of(claim_named(claim), measured);
}

Verdict judged_as(const std::string& claim, const std::string& control) {
    return judged(claim, claim_named(control).measure());
}

Names caught(const char* experiment, const std::string& figure, const Changes& changes) {
    const ExperimentInfo& info = find_experiment(experiment);
    Names claims;
    for (const FigureInfo& one : info.figures) {
        if (one.name != figure) continue;
        Settings settings = started(one, Settings(info.fields));
        for (const auto& [field, value] : changes) settings.set_from_text(field, value);
        const MadeFigure made = one.build(info, settings, {});
        for (const auto& [claim, measurement] : measured_claims(shipped_claims(), figure, made))
            if (judged(claim, measurement) != Verdict::agrees)
                claims.insert(claim == figure ? "" : claim.substr(figure.size() + 1));
    }
    return claims;
}

}  // namespace emergence::testing
