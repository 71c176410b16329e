// The table of words that a quantity may use, and the quantities that a run offers.

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {

const std::vector<QuantityWord>& quantity_words() {
    constexpr std::string_view kOfSeed = "of each network", kOfRun = "of the run", kOverSeeds = "over seeds",
                               kCombined = "combined";
    using K = QuantityKind;
    static const std::vector<QuantityWord> words = {
        {"metric", "metric NAME [first | last | at STEP | at 20 % | at greatest NAME ...]",
         "A logged metric: its last known value (default), its first, the first at or after STEP, at a share of the "
         "last step, or where a product of metrics is greatest.",
         kOfSeed, K::metric},
        {"curve", "curve PLOT NAME at X | at first | at last | at 20 %",
         "A curve or level of a plot at the nearest x; NAME may be abbreviated. If its rows are MDPs or environments "
         "instead of networks, reductions count those.",
         kOfSeed, K::curve},
        {"norm", "norm MATRIX [ROWS COLUMNS]", "The Frobenius norm of a matrix, or of its block with these labels.",
         kOfSeed, K::norm},
        {"block", "block MATRIX [ROWS COLUMNS]", "The mean absolute entry of a matrix or block.", kOfSeed, K::block},
        {"trace", "trace MATRIX [ROWS COLUMNS]", "The sum of the diagonal of a matrix or block.", kOfSeed, K::trace},
        {"entry", "entry MATRIX ROW COLUMN", "One entry, counted from 0; -1 is the last row or column.", kOfSeed,
         K::entry},
        {"emerged", "emerged", "1 if the network has emerged, otherwise 0; failed networks included.", kOfSeed,
         K::emerged},
        {"emerged_at", "emerged_at",
         "The step from which its rule held, once that has lasted. None if it has not emerged.", kOfSeed,
         K::emerged_at},
        {"failed", "failed", "1 if training failed, for example diverged, otherwise 0.", kOfSeed, K::failed},
        {"scalar", "scalar NAME", "A number of the status line or the read-outs.", kOfRun, K::scalar},
        {"number", "number SCENE NAME", "A number of a drawn world.", kOfRun, K::scene_number},
        {"field", "field NAME", "A setting; a flag is 1 or 0.", kOfRun, K::field},
        {"step", "step", "The step that the run has reached.", kOfRun, K::step},
        {"seeds", "seeds", "The number of networks, failed ones included.", kOfRun, K::seeds},
        {"mean", "mean(Q), mean(Q, Q)",
         "The mean over networks; of several Q, over all their values. Alone, with Student's 95 % interval.",
         kOverSeeds, K::reduction, Reduction::mean},
        {"median", "median(Q)", "The median; with several Q, over all their values.", kOverSeeds, K::reduction,
         Reduction::median},
        {"share", "share(Q), share(Q < Q and Q > Q)",
         "The share of networks whose value is not 0, or for which comparisons (<, <=, >, >=, ==) hold, with "
         "Wilson's 95 % interval.",
         kOverSeeds, K::reduction, Reduction::share},
        {"count", "count(Q), count(Q < Q)",
         "The number of networks whose value is not 0, or for which comparisons hold.", kOverSeeds, K::reduction,
         Reduction::count},
        {"least", "least(Q)", "The least value; least(Q, Q) is the lesser of two, network by network.", kOverSeeds,
         K::reduction, Reduction::least},
        {"greatest", "greatest(Q)", "The greatest value; greatest(Q, Q) is the greater of two, network by network.",
         kOverSeeds, K::reduction, Reduction::greatest},
        {"quantile", "quantile(Q, SHARE)", "The value below which this share of the networks lies, interpolated.",
         kOverSeeds, K::reduction, Reduction::quantile},
        {"deviation", "deviation(Q)", "The standard deviation.", kOverSeeds, K::reduction, Reduction::deviation},
        {"standard_error", "standard_error(Q)", "The standard error of the mean.", kOverSeeds, K::reduction,
         Reduction::standard_error},
        {"t", "t(Q)", "The mean divided by its standard error.", kOverSeeds, K::reduction, Reduction::t},
        {"abs", "abs(Q)", "The absolute value.", kCombined, K::absolute},
        {"run", "run NAME: Q, run 1: Q", "Q of another run, by its name or its position, counted from 0.", kCombined,
         K::run},
        {"runs", "runs NAME, NAME: Q", "Reductions in Q count the networks of all these runs.", kCombined, K::run},
        {"over x", "over x [from 20 % to 80 %] greatest(Q)",
         "The greatest Q over the x of a curve (curve PLOT NAME at x) or the logged steps of a metric (metric NAME "
         "at x), all or a part; also least( ), mean( ) and share( ).",
         kCombined, K::over_x},
        {"over runs", "over runs least(Q)",
         "The least Q of all runs; also greatest( ). Only around the whole expression.", kCombined, K::over_runs}};
    return words;
}

std::string with_braces_filled(std::string_view text, const std::function<std::string(std::string_view)>& fill) {
    std::string filled;
    for (size_t from = 0;;) {
        const size_t open = text.find('{', from);
        if (open == std::string_view::npos) return filled.append(text.substr(from));
        const size_t close = text.find('}', open);
        if (close == std::string_view::npos) throw InputError("the brace { has no }");
        filled.append(text.substr(from, open - from)).append(fill(text.substr(open + 1, close - open - 1)));
        from = close + 1;
    }
}

std::vector<AvailableQuantity> available_quantities(const RunView& run) {
    std::vector<AvailableQuantity> found;
    const Snapshot& snapshot = *run.snapshot;
    if (!snapshot.emergence_rule.empty()) found.push_back({"emerged", snapshot.emergence_rule});
    for (const MetricInfo& metric : run.history->table())
        found.push_back({"metric " + quoted_name(metric.name), metric.help});
    for (const Scalar& scalar : snapshot.scalars) found.push_back({"scalar " + quoted_name(scalar.name), scalar.help});
    for (const PlotSpec& plot : snapshot.plots)
        for (const Series& series : plot.series)
            if (!series.x.empty())
                found.push_back({fmt::format("curve {} {} at {:.6g}", quoted_name(plot.id), quoted_name(series.name),
                                             series.x.back()),
                                 plot.title});
    for (const NamedMatrix& matrix : snapshot.matrices) {
        found.push_back({"norm " + quoted_name(matrix.name), matrix.help});
        for (const Block& rows : matrix.row_blocks)
            for (const Block& columns : matrix.column_blocks)
                found.push_back({fmt::format("norm {} {} {}", quoted_name(matrix.name), quoted_name(rows.label),
                                             quoted_name(columns.label)),
                                 ""});
    }
    for (const Scene& scene : snapshot.scenes)
        if (scene.moments && !scene.moments->empty())
            for (const DrawnNumber& number : scene.moments->back().numbers)
                found.push_back(
                    {fmt::format("number {} {}", quoted_name(scene.id), quoted_name(number.name)), scene.title});
    return found;
}

}  // namespace emergence
