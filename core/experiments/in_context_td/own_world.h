#pragma once
// One MRP of experiment "td" to be looked at and edited by hand: a held-out task or an own one, one context
// from it, and what the networks make of that.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/named_numbers.h"
#include "core/experiments/in_context_td/own_world_file.h"
#include "core/experiments/in_context_td/td_study.h"
#include "core/pictures/scene.h"
#include "core/tasks/td_prompt.h"

namespace emergence {

/// Colours, the same in all pictures of what is inside.
inline constexpr int kNetworkColor = 0, kBatchTdColor = 1;

/// An MRP with what was changed in it by hand.
struct TdWorld {
    std::string title;
    std::vector<std::string> states;  // their names
    double gamma = 0.9;
    NamedNumbers edits;
    Mrp original, mrp;           // before the edits and after
    Eigen::VectorXd stationary;  // of mrp: m
    Eigen::VectorXd v;           // its true values: m
    int chosen = 0;              // config.inside.world_state, from 0, within the states there are

    int num_states() const { return mrp.num_states(); }
};

/// Whether these settings ask for a world or the microscope, and the task has one: a finite MRP with
/// discounted values.
bool looks_inside(const InContextTdConfig& config);

/// The own MRP that the settings name; null where they name none. Throws InputError as read_world() does,
/// and where its features are not as many as the network's.
std::shared_ptr<const WorldFile> own_world(const InContextTdConfig& config);

/// `mrp` with the edits: "p2,3" is p(2, 3), "r1" a reward, "phi1,2" feature 2 of state 1, states counted from
/// 1. What a row's edited probabilities leave is shared by its others in their proportion, or in equal
/// parts where they have none. Throws InputError where an edit names none of these, a probability or a row's
/// edited ones together are outside 0 to 1, or the chain is left without a unique stationary distribution.
Mrp edited(const Mrp& mrp, const NamedNumbers& edits);

/// `file`: what own_world() has answered. Throws InputError, naming the field, where the edits do not fit.
TdWorld td_world(const InContextTdConfig& config, const WorldFile* file);

/// The context that every seed is shown: eval_context_length transitions from p_0. Its random numbers are the
/// same whatever is edited, so that a path changes no more than it has to. With the states S_0 .. S_n.
struct TdWorldContext {
    Transitions transitions;
    std::vector<int> path;
};
TdWorldContext td_world_context(const InContextTdConfig& config, const TdWorld& world);

/// What one seed makes of it: the value of each state from that context, by the network and by as many steps
/// of batch TD with the step size trained beside it. NaN for a seed that failed.
struct TdWorldValues {
    Eigen::VectorXd network, batch_td;
};
std::vector<TdWorldValues> td_world_values(const InContextTdConfig& config, const TdWorld& world,
                                           const TdWorldContext& context,
                                           const std::vector<LearnedWeights>& seeds);

/// All of it as a drawing with handles, and the value errors as read-outs.
Scene td_world_scene(const InContextTdConfig& config, const TdWorld& world, const TdWorldContext& context,
                     const std::vector<LearnedWeights>& seeds);

}  // namespace emergence
