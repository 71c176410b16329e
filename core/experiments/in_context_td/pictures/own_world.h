#pragma once
// One MRP of experiment "td" that the user views and edits: a held-out task or an own file, one context from
// it, and the values that the networks compute from that context.

#include <memory>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/lab/snapshot.h"
#include "core/pictures/drawing.h"
#include "core/pictures/figure_spec.h"
#include "core/tasks/task.h"

namespace emergence {

/// Colours of the network and of batch TD in the world and in the microscope.
inline constexpr int kNetworkColor = 0, kBatchTdColor = 1;

/// An MRP and its edits by hand.
struct TdWorld {
    std::string title;
    /// Names of the states.
    std::vector<std::string> states;
    double gamma = 0.9;
    NamedNumbers edits;
    /// Before the edits and after.
    Mrp original, mrp;
    /// Stationary distribution of `mrp`: m.
    Eigen::VectorXd stationary;
    /// How much each state counts in errors: `stationary`, or the visits if the chain leaves states for ever (see
    /// error_weights()): m.
    Eigen::VectorXd weights;
    bool leaves_states = false;
    /// True values of `mrp`: m.
    Eigen::VectorXd v;
    /// The setting world_state counted from 0, at most the last state.
    int chosen = 0;
    /// The context that every seed receives: eval_context_length transitions from p_0, and the path of states S_0 .. S_n.
    /// Edits do not change its random numbers, so that the path changes as little as possible.
    Transitions context;
    std::vector<int> path;

    int num_states() const { return mrp.num_states(); }
};

/// Whether the settings ask for the world or the microscope, and the task is a finite MRP with discounted
/// values.
bool looks_inside(const InContextTdConfig& config);

/// The own MRP that the settings name; null if they name none. Throws InputError if read_world() does, or if
/// its number of features differs from the network's.
std::shared_ptr<const WorldFile> own_world(const InContextTdConfig& config);

/// `mrp` with the edits: "p2,3" is p(2, 3), "r1" a reward, "phi1,2" feature 2 of state 1; states count from
/// 1. The other probabilities of an edited row share the rest in their proportion, or equally if all are 0.
/// Throws InputError if an edit has another name or number, or if a probability or the sum of a row's edits
/// is outside 0 to 1.
Mrp edited(const Mrp& mrp, const NamedNumbers& edits);

/// The world that the settings select. `file` is the result of own_world(). Throws InputError with the setting's name
/// if the edits do not fit, or leave the chain without a unique stationary distribution.
TdWorld td_world(const InContextTdConfig& config, const WorldFile* file);

/// One seed's value of each state from the world's context: by the network, and by as many steps of batch TD with the seed's
/// step size. NaN for a seed that failed.
struct TdWorldValues {
    Eigen::VectorXd network, batch_td;
};
std::vector<TdWorldValues> td_world_values(const InContextTdConfig& config, const TdWorld& world,
                                           const LearnedSeeds& seeds);

/// Adds the world as a drawing with handles, with the value errors as read-outs, if the settings ask for it; and of an
/// own world the value errors, of the network and of batch TD.
void add_td_world(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds, Snapshot& snapshot);

}  // namespace emergence
