#pragma once
// Numbers of a run from the values of its seeds: reductions, their arithmetic, and how sure they are.

#include <functional>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {

/// Leaves no value out: NaN if a value is NaN or the list is empty. `quantile`: of Reduction::quantile.
double reduced(Reduction reduction, const std::vector<double>& values, double quantile = 0.5);

/// A number of one run or of several, with n and its 95 % interval: of a bare mean Student's; of a share, of sums and
/// differences of shares, and of any function of one share Wilson's and Newcombe's; of anything else by bootstrap over
/// seeds, whose draws all reductions of an expression share. The bootstrap gives no interval where all draws are alike, since
/// none or all of the seeds have something. Seeds of several runs belong together by their numbers: if the reductions of an expression share seeds, it counts those that live in all.
/// Throws what check_quantity() throws, and InputError if the quantity has one value for each seed.
Measurement measured(const std::vector<RunView>& runs, const Quantity& quantity);
Measurement measured(const RunView& run, const Quantity& quantity);

/// The number alone, of runs that may be unknown: then NaN. Names are not checked, and each reduction counts all seeds of
/// its own run.
double number_of(const Quantity& quantity, const std::vector<RunView>& runs);

/// The quantity as one number of a run: outside of reductions a number of a seed becomes its mean over the seeds in
/// which it is known, `emerged` and `failed` become counts.
Quantity of_whole_run(Quantity quantity);

/// All places of a list of `count`.
Places all_places(size_t count);
/// A statistic of `count` seeds (or chains, or MDPs) with n and its 95 % bootstrap interval; one seed has no interval,
/// none has no value. statistic: of their places.
Measurement bootstrapped(size_t count, const std::function<double(const Places&)>& statistic,
                         const std::string& detail = "");

}  // namespace emergence
