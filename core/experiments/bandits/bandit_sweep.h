#pragma once
// Experiment "bandit-sweep": final regret against the amount of non-stationarity, or against the number of
// rounds. One step plays one environment of each stream at every point of the sweep.

#include "core/experiments/bandits/bandit_eval.h"

namespace emergence {

/// Every setting of experiment "bandit-sweep".
struct BanditSweepConfig : BanditWorldFields, BanditPlayerFields {
    std::string over = "amount";
    std::string horizon = "usual";
    int64_t num_environments = 50;
    int64_t seed = 0;
    int seeds = 4;
    int log_interval = 1;
};

template <class Visitor>
void visit_fields(BanditSweepConfig& c, Visitor&& visit) {
    visit(
        FieldInfo{
            .name = "over",
            .label = "sweep over",
            .help =
                "The amount of non-stationarity (b, J or the angle, whose own sliders then have no effect), or "
                "the rounds T, up to the T that is set.",
            .group = "sweep",
            .choices = {"amount", "rounds"}},
        c.over);
    visit(FieldInfo{.name = "horizon",
                    .label = "horizon",
                    .help = "Over the amount, usual is T = 200 for a cosine, as in the paper and where the "
                            "transformer can play, and 1,000 for the other kinds; over T it is up to 1,600. "
                            "Else the rounds T set below.",
                    .group = "sweep",
                    .choices = {"usual", "as set"}},
          c.horizon);
    visit_bandit_world(c, [&visit](FieldInfo info, auto& member) {
        if (info.name == "rounds") info.acts_while = {{"horizon", {"as set"}}};
        const bool is_amount = info.name == "frequency" || info.name == "windows" ||
                               info.name == "segments" || info.name == "angle";
        if (is_amount) info.acts_while.push_back({"over", {"rounds"}});
        visit(info, member);
    });
    visit_bandit_choice(c, visit);
    visit_bandit_constants(c, visit);
    visit_bandit_run(c, visit);
}

/// The experiment's entry in the registry.
ExperimentInfo bandit_sweep();

}  // namespace emergence
