#pragma once
// The tasks of experiment "td", and the held-out banks on which its networks are judged.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/experiments/in_context_td/td.h"
#include "core/experiments/in_context_td/world/world_folder.h"
#include "core/measures/network_evaluator.h"

namespace emergence {

/// Whether values are the differential values of average-reward TD.
bool averages_rewards(const InContextTdConfig& config);
/// Whether the tasks have true values, and so value errors.
bool has_values(const InContextTdConfig& config);
/// Whether training draws the same tasks again and again.
bool has_pool(const InContextTdConfig& config);

/// The tasks of training and of held-out banks; without the worlds of files.
TaskOptions task_options(const InContextTdConfig& config);
/// The tasks of held-out banks. Throws InputError if worlds of files cannot be read.
TaskOptions held_out_tasks(const InContextTdConfig& config);
/// The worlds of files that training draws; null for other tasks. Throws InputError if they cannot be read.
Worlds training_worlds(const InContextTdConfig& config);
/// The training options of a seed, with those worlds.
MultiTaskTdOptions training_options(const InContextTdConfig& config, Worlds worlds);

/// The number of held-out MRPs at a logged point: all, or a tenth if every state of each is a prompt.
int evaluation_size(const InContextTdConfig& config);
/// These numbers in order, each once.
std::vector<int> ascending(std::vector<int> numbers);
/// The place of the context length at which networks are read off among the bank's.
size_t marked_place(const InContextTdConfig& config, const HeldOutBank& bank);

/// A bank of the held-out world that all seeds share, or of another `world`. `lengths` must ascend.
std::shared_ptr<const HeldOutBank> make_bank(const InContextTdConfig& config, int size, std::vector<int> lengths,
                                             uint64_t world = 0);
/// An evaluator on a seed's pool, with new trajectories; null without a pool or true values. `training`:
/// training_options().
std::unique_ptr<const NetworkEvaluator> make_pool_evaluator(const InContextTdConfig& config,
                                                            const MultiTaskTdOptions& training, uint64_t seed);
/// The evaluator of the value errors against context length; null without true values.
std::shared_ptr<const NetworkEvaluator> make_length_evaluator(const InContextTdConfig& config);

}  // namespace emergence
