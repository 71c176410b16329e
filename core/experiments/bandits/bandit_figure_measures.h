#pragma once
// What Figures 2 to 7 of Chen, Ito and Imaizumi 2025 say, as numbers of finished runs.

#include <string>
#include <vector>

#include "core/lab/claims.h"
#include "core/lab/study_grid.h"

namespace emergence {

/// The paper's experts: a base algorithm and MASTER over it, with whichever constants play.
enum class Family { linucb, thompson };
/// By the label of a player.
bool is_expert(const std::string& label, Family family);
bool is_transformer(const std::string& label);

/// The run's scalar of that name. Throws InputError where there is none.
const Scalar& scalar_of(const FinishedRun& run, const std::string& name);

// Of runs of "bandit-eval". NaN, which fails every claim, where no transformer plays; the detail says so.

/// Mean of the differences of two players' final regrets on the same environments, over its standard error.
Measurement paired_regrets(const FinishedRun& run, const std::string& worse, const std::string& better);
/// The same of the expert that is nearest to the transformer, or farthest below it.
Measurement transformer_ahead(const FinishedRun& run, const std::vector<Family>& families);
/// The share of the points behind the first fifth of the rounds where the transformer's mean suboptimality is
/// below that of every expert.
Measurement transformer_lowest(const FinishedRun& run);
/// The transformer's mean suboptimality over the second half of the rounds over that of the first.
Measurement transformer_settles(const FinishedRun& run);

/// Of a run of "bandit-race": the rounds in which not the live instance of the lowest order acted.
Measurement not_the_lowest(const FinishedRun& run);

}  // namespace emergence
