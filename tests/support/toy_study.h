#pragma once
// A cheap, deterministic stand-in for an experiment: a matrix is pulled towards plus or minus a target, with
// noise and momentum. It can be told to diverge or to throw in one seed at one step, or to refuse its
// settings.

#include <functional>
#include <string>

#include "core/lab/study.h"
#include "core/settings/fields.h"

namespace emergence::testing {

struct ToyConfig {
    int num_steps = 100;          // live: the stop condition
    double probe = 1.0;           // live: scales what is evaluated
    double learning_rate = 0.05;  // restart
    int size = 3;                 // restart
    int seed = 0;
    int num_seeds = 4;
    int log_interval = 10;
    int diverge_seed = -1;  // index of the seed whose loss becomes NaN ...
    int diverge_step = 20;  // ... when it takes this step
    int throw_seed = -1;    // index of the seed whose advance throws ...
    int throw_step = 20;    // ... when it takes this step
    bool all_diverge = false;
    int matrices = 1;                     // 0: none is shown
    int describe_fails_from = 1'000'000;  // describe() throws from this step on
    int work = 0;                         // rounds of idle arithmetic a step: makes steps slower
    int watched = 0;                      // live: which scene is drawn
    std::string edits = "";               // live: set by a handle of the scene
    int scene_moments = 0;                // of a drawn scene, ten a second; 0: nothing is drawn

    void fields(Fields& f);
};

/// The line of a registry: {"toy", ...}. Its check refuses size * num_seeds > 64.
const ExperimentInfo& toy_info();
/// As the registry's function: throws InputError for any name but "toy".
const ExperimentInfo& find_toy(const std::string& name);

/// Called at the start of every advance, where set: a test holds training open with it. Set it while no toy
/// trains.
extern std::function<void()> before_toy_advance;

/// The toy's settings with some fields changed, given as {"name=value", ...}.
Settings toy_settings(const std::vector<std::string>& changes = {});

/// The rows of a toy run with those changes, start to end on one thread, as the command line runs it.
std::vector<MetricRow> toy_rows_without_a_window(const std::vector<std::string>& changes);

}  // namespace emergence::testing
