// Pictures of experiment "bench".
#include <fmt/format.h>

#include "core/experiments/bench/bench.h"
#include "core/lab/views/shown_matrix.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

std::vector<Block> verdict_blocks() {
    std::vector<Block> blocks;
    for (const char* label : {"reward", "no boot.", "TD", "residual", "between", "none"}) blocks.push_back({label, 1});
    return blocks;
}

ShownMatrix verdict_shares(const BenchScores& scores, size_t judge, bool inverted, size_t seeds) {
    const NamedJudge& who = bench_judges()[judge];
    ShownMatrix matrix(std::string(inverted ? "inversion_" : "confusion_") + who.name,
                       inverted ? fmt::format("{}: what lies behind a name", who.label) : who.label,
                       fmt::format("{} {}", who.help,
                                   inverted ? "Columns: its verdict; rows: the share of each truth behind it."
                                            : "Rows: the truth; columns: the share that gets each verdict."));
    matrix.square(verdict_blocks()).everywhere(scores.confusion(judge, inverted), seeds);
    return matrix.as_is("rows: truth, columns: verdict; networks that test, of all seeds").nonnegative();
}

// Each judge's score with its interval, the judges below each other.
PlotSpec scores_plot(const std::string& id, const std::string& title, const std::string& x, const std::string& note,
                     const std::function<Score(size_t)>& score) {
    Plot plot(id, title);
    plot.x(x).from(-0.03).to(1.03).ticks({0, 0.5, 1});
    const size_t judges = bench_judges().size();
    std::vector<std::string> names, words;
    std::vector<double> values, places, ends, at;  // of the intervals, with a gap after each
    for (size_t judge = 0; judge < judges; ++judge) {
        const Score number = score(judge);
        names.emplace_back(bench_judges()[judge].brief);
        values.push_back(number.value);
        places.push_back(static_cast<double>(judges - judge));
        words.push_back(fmt::format("{}: {:.2f} ({:.2f} to {:.2f}), n = {}", bench_judges()[judge].label, number.value,
                                    number.low, number.high, number.n));
        ends.insert(ends.end(), {number.low, number.high, kMissing});
        at.insert(at.end(), {places.back(), places.back(), kMissing});
    }
    plot.y("").things(names);
    plot.path("95 % interval", ends, at).color(7);
    plot.points("score", values, places).color(0);
    plot.spec().series.back().details.words = words;
    plot.no_markers();
    plot.note(note);
    return plot;
}

Score score_of(const Fraction& share) { return {share.value, share.low, share.high, share.total}; }

}  // namespace

std::vector<NamedMatrix> bench_matrices(const BenchScores& scores, size_t seeds) {
    std::vector<NamedMatrix> matrices;
    for (const bool inverted : {false, true})
        for (size_t judge = 0; judge < bench_judges().size(); ++judge)
            matrices.push_back(verdict_shares(scores, judge, inverted, seeds));
    return matrices;
}

std::vector<PlotSpec> bench_plots(const BenchScores& scores) {
    return {
        scores_plot(
            "accuracy", "TD or not", "balanced accuracy",
            "Mean of the share of TD that is called TD and of the others that are not. Guessing gives one half. "
            "Interval: bootstrap over networks.",
            [&](size_t judge) { return scores.balanced(judge); }),
        scores_plot(
            "auc", "Ranking: TD above the others", "AUC",
            "How often a network that runs TD ranks before one that does not, whatever the threshold. Interval: "
            "bootstrap over networks.",
            [&](size_t judge) { return scores.auc(judge); }),
        scores_plot("auc_no_bootstrap", "Ranking: TD above no bootstrapping", "AUC",
                    "The same, only against TD without bootstrapping.",
                    [&](size_t judge) { return scores.auc(judge, true); }),
        scores_plot(
            "alarms", "False alarms on planted TD errors", "share called TD",
            "Of networks that use no TD error, but whose last Z has one that a linear map can read, the share that is "
            "called TD. Interval: Wilson's.",
            [&](size_t judge) { return score_of(scores.false_alarms(judge)); })};
}

std::vector<Scalar> bench_scalars(const BenchScores& scores) {
    std::vector<Scalar> scalars;
    for (size_t judge = 0; judge < bench_judges().size(); ++judge) {
        const NamedJudge& who = bench_judges()[judge];
        if (!who.only_td) {
            const Score right = scores.named_right(judge);
            scalars.push_back({std::string("right_") + who.name, fmt::format("named right, {}", who.label), right.value,
                               fmt::format("({:.2f} to {:.2f})", right.low, right.high),
                               "Mean over the six truths of the share of networks with the right name."});
        }
        scalars.push_back(
            {std::string("threshold_") + who.name, fmt::format("threshold, {}", who.label),
             scores.threshold(judge).value,
             fmt::format("({:.3g} to {:.3g})", scores.threshold(judge).low, scores.threshold(judge).high),
             "How sure it must be to give a name; in brackets between which numbers all calibrate alike."});
    }
    return scalars;
}

}  // namespace emergence
