// The statements of Wang et al. 2025 about their figures, as claims on our runs.
#include "core/experiments/in_context_td/learned_weights_figures.h"

namespace emergence {
namespace {

const char* const kSecondBasin =
    "About one seed in four ends in a second basin, and some are still on their way after 4,000 MRPs: the "
    "paper shows means over 30 seeds, in which that cannot be seen.";

const char* const kMixtureOfBasins =
    "The mean over seeds is a mixture: of the seeds that emerged alone it is 0.94 to 0.97 in every "
    "panel, and those in the second basin pull it down.";

const char* const kOneSeedOff =
    "The mean over seeds is a mixture here too: seeds that did not end in TD, and in Figure 6 one of "
    "30 that nearly diverges, outweigh the median seed, whose VD is 0.004 to 0.02.";

const char* const kRnnReadsRewards =
    "Ours falls up to the trained context length of 30, as does the error of a single number, the mean of "
    "the "
    "context's rewards times a factor: most of a value at gamma = 0.9 is 10 times the average reward. "
    "In-context TD "
    "it is not: SS stays near 0.";

const char* const kStepTooLarge =
    "The step that is learned, about 2 to 2.9, is beyond the 1.9 that is best for TD: with every further "
    "layer some "
    "seeds leave the range where the iteration contracts.";

const char* const kSlowSeeds =
    "The paper gives no number, 0.8 is ours. With representable values the mean is still rising (0.778 after "
    "2,000 MRPs, 0.789 after 4,000) and is of seeds from 0.61 to 0.86, of which the median has 0.83.";

void add_figure_2(std::vector<Claim>& claims) {
    // The published means and ours have standard errors near 0.16 (corner) and 0.4 (traces) over 30 seeds.
    // The ranges reach about 4 sqrt(2) standard errors to either side of the published mean.
    claims.push_back(figure_claim("wang-2", "wang-2-corner", "P keeps its bottom-right entry, 1.6 on average",
                                  "Figure 2b", "P[-1,-1], mean of 30 seeds", {0.7, 2.5}));
    claims.push_back(figure_claim("wang-2", "wang-2-upper-left", "Q's upper-left trace falls, to -4.3",
                                  "Figure 2b", "tr Q[:d,:d], mean of 30 seeds", {-6.5, -2.1}));
    claims.push_back(figure_claim("wang-2", "wang-2-upper-right", "Q's upper-right trace grows, to +3.3",
                                  "Figure 2b", "tr Q[:d,d:2d], mean of 30 seeds", {1.3, 5.3}));
    claims.push_back(figure_claim("wang-2", "wang-2-iws", "What was learned is batch TD", "Figures 2 and 5c",
                                  "IWS, mean of 30 seeds", at_least(0.9)));
    claims.push_back(
        with_difference(figure_claim("wang-2", "wang-2-always", "L = 3 always ends in Theorem 1", "Section 5",
                                     "fraction of seeds that emerged", at_least(1.0)),
                        kSecondBasin, {0.4, 0.95}));
}

void add_figure_4(std::vector<Claim>& claims) {
    claims.push_back(
        figure_claim("wang-4", "wang-4-one-layer",
                     "L = 1 ends in Corollary 1, without the bootstrapping block", "Figure 4, Appendix D.2",
                     "absolute tr Q[:d,d:2d] over that of tr Q[:d,:d], means of 30 seeds", at_most(0.1)));
    claims.push_back(with_difference(
        figure_claim("wang-4", "wang-4-always-1", "L = 1 ends there in every seed", "Section 5, Appendix D.2",
                     "fraction of seeds that emerged", at_least(1.0)),
        kSecondBasin, {0.4, 0.99}));
    claims.push_back(
        with_difference(figure_claim("wang-4", "wang-4-always-2", "L = 2 always ends in Theorem 1",
                                     "Section 5", "fraction of seeds that emerged", at_least(1.0)),
                        kSecondBasin, {0.4, 0.99}));
    claims.push_back(
        with_difference(figure_claim("wang-4", "wang-4-always-4", "L = 4 always ends in Theorem 1",
                                     "Section 5", "fraction of seeds that emerged", at_least(1.0)),
                        kSecondBasin, {0.4, 0.99}));
}

// We read "near 1" as 0.9, and "drops considerably" as to one half: Appendix D.3 uses both phrases, Appendix
// D.2 neither.
void add_similarity(std::vector<Claim>& claims, const char* figure, const char* source) {
    const std::string prefix = figure;
    const auto near_one = [&](const char* which, const char* statement, const char* quantity) {
        claims.push_back(with_difference(
            figure_claim(figure, (prefix + which).c_str(), statement, source, quantity, at_least(0.9)),
            kMixtureOfBasins, {0.75, 0.9}));
    };
    near_one("-iws", "Implicit weights are near batch TD's", "least IWS of the panels, means over seeds");
    near_one("-ss", "So are the sensitivities", "least SS of the panels, means over seeds");
    claims.push_back(with_difference(
        figure_claim(figure, (prefix + "-vd").c_str(), "The value difference drops considerably", source,
                     "largest over the panels of VD over what it was at the start, means over "
                     "seeds",
                     at_most(0.5)),
        kOneSeedOff, {0.5, 20.0}));
}

void add_figures_7_and_8(std::vector<Claim>& claims) {
    claims.push_back(figure_claim(
        "wang-7", "wang-7-fades", "The deeper the layer, the fainter its bootstrapping diagonal", "Figure 7",
        "share of Q2's upper-right trace in its upper-left over that of Q0", at_most(0.8)));
    claims.push_back(figure_claim(
        "wang-7", "wang-7-input", "The input layer comes very close to Theorem 1", "Figure 7, Appendix D.3",
        "the smaller of -tr UL and tr UR of the mean Q0 over its largest entry, over d", at_least(0.5)));
    claims.push_back(figure_claim(
        "wang-7", "wang-7-p", "Every P follows the configuration", "Figure 7, Appendix D.3",
        "largest entry of a mean P besides its corner over the corner, the worst layer", at_most(0.5)));
    claims.push_back(
        with_difference(figure_claim("wang-8", "wang-8-iws", "Implicit weights come near linear batch TD's",
                                     "Figure 8", "least IWS of both panels, means over seeds", at_least(0.8)),
                        kSlowSeeds, {0.75, 0.8}));
    claims.push_back(figure_claim("wang-8", "wang-8-ss-drops",
                                  "With uniform rewards the sensitivity falls again", "Figure 8a",
                                  "SS at the end less its peak, means over seeds", at_most(-0.02)));
    claims.push_back(figure_claim("wang-8", "wang-8-ss-representable",
                                  "With values that features express it is higher", "Figure 8b",
                                  "SS less that with uniform rewards, means over seeds", at_least(0.0)));
}

void add_cart_pole_and_rnn(std::vector<Claim>& claims) {
    claims.push_back(figure_claim("wang-10", "wang-10-diagonals", "On CartPole both diagonals emerge",
                                  "Figure 10, Appendix F",
                                  "-tr Q[:d,d:2d] over tr Q[:d,:d], means of 30 seeds", {0.3, 1.5}));
    claims.push_back(figure_claim(
        "wang-10", "wang-10-theorem", "P and Q converge to Theorem 1 up to some noise", "Appendix F",
        "the smaller of -tr UL and tr UR of the mean Q over its largest entry, over d", at_least(0.5)));
    claims.push_back(figure_claim("wang-11", "wang-11-falls",
                                  "The recurrent network's error falls over the first 1,000 MRPs",
                                  "Figure 11", "MSVE there over that at the start", at_most(0.99)));
    claims.push_back(figure_claim("wang-11", "wang-11-stays", "And stays low", "Figure 11",
                                  "MSVE at the end over that at 1,000 MRPs", at_most(1.1)));
    for (const auto& [name, statement] :
         {std::pair{"wang-12-boyan-4", "The recurrent network's error grows with the context, on chains"},
          {"wang-12-loop-4", "And on loops"},
          {"wang-12-boyan-16", "Sixteen hidden units do not change that, on chains (ours)"},
          {"wang-12-loop-16", "Nor on loops (ours)"}})
        claims.push_back(with_difference(figure_claim("wang-12", name, statement, "Figure 12, Appendix G",
                                                      "MSVE at n = 40 over that at n = 5", at_least(1.0)),
                                         kRnnReadsRewards, {0.2, 0.99}));
}

void add_pool_claims(std::vector<Claim>& claims) {
    claims.push_back(figure_claim("pool", "pool-few", "With one to eight chains no network finds TD (ours)",
                                  "this laboratory", "fraction of seeds that emerged, K = 1, 2, 4 and 8",
                                  at_most(0.1)));
    claims.push_back(figure_claim("pool", "pool-many", "With 1,024 they do, as with ever fresh ones (ours)",
                                  "this laboratory", "IWS, mean of the seeds, K = 1,024", at_least(0.9)));
}

void add_second_basin(std::vector<Claim>& claims) {
    claims.push_back(figure_claim(
        "second-basin", "second-basin-emerged",
        "What emerges bootstraps: without it at least twice as much is left (ours)", "this laboratory",
        "unexplained by TD(\u03b1_l) over that by TD without bootstrapping, medians of those "
        "that emerged",
        at_most(0.5)));
    claims.push_back(figure_claim(
        "second-basin", "second-basin-bootstrap", "In the second basin bootstrapping explains nothing (ours)",
        "this laboratory", "the same ratio, medians of the second basin", at_least(0.9)));
}

void add_beyond(std::vector<Claim>& claims) {
    claims.push_back(with_difference(
        figure_claim(
            "beyond", "beyond-layers",
            "Applied twelve times, a layer that was trained with three still beats predicting zero (ours)",
            "this laboratory", "fraction of seeds whose MSVE with twelve layers is below predict-zero's",
            at_least(1.0)),
        kStepTooLarge, {0.3, 0.99}));
}

}  // namespace

std::vector<Claim> in_context_td_figure_claims() {
    std::vector<Claim> claims;
    add_figure_2(claims);
    add_figure_4(claims);
    add_similarity(claims, "wang-5", "Figure 5, Appendix D.2");
    add_similarity(claims, "wang-6", "Figure 6, Appendix D.3");
    add_figures_7_and_8(claims);
    add_cart_pole_and_rnn(claims);
    add_pool_claims(claims);
    add_beyond(claims);
    add_second_basin(claims);
    return claims;
}

}  // namespace emergence
