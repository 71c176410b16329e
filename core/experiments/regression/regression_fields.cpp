#include "core/experiments/common_fields.h"
#include "core/experiments/regression/regression.h"

namespace emergence {

void RegressionConfig::fields(Fields& f) {
    model_fields(f);
    task_fields(f);
    training_fields(f);
    train_for_field(f, num_iterations, "num_iterations", "iterations",
                    "The run stops when every seed has made this many iterations.")
        .live();
    first_seed_field(f, seed, "Each draws its own \u03a3, weights and prompts.");
    num_seeds_field(f, seeds,
                    "How many independent trainings, each with a new rotation of \u03a3. Ahn et al. 2023 have 5.");
    evaluation_fields(f);
}

void RegressionConfig::model_fields(Fields& f) {
    f.group("model");
    f(layers, "num_layers", "layers L",
      "Attention layers, each with its own P and Q: steps of the algorithm that the transformer is to discover.")
        .range(1, 6);
    f.choice(restriction, {{"9", Restriction::steps}, {"13", Restriction::moved_points}, {"none", Restriction::none}},
             "restriction", "restriction",
             "What is trained. 9: symmetric A_i in Q_i alone (Eq. 9), so that each layer is a preconditioned "
             "gradient step. 13: B_i in P_i too (Eq. 13), which move the x. none: all entries.");
}

void RegressionConfig::task_fields(Fields& f) {
    f.group("task");
    f(n, "n", "context length n", "Pairs (x, y) in a prompt, before the query.").log_range(1, 200);
    f(d, "d", "dimension d", "Entries of x.").range(1, 12);
    f.choice(spectrum, words_of<Spectrum>({"paper", "geometric", "two_levels", "identity"}), "spectrum",
             "spectrum of \u03a3",
             "Eigenvalues of the covariance of x. paper: 1, 1, 1/4, 1/16, 1, repeated. geometric: from 1 "
             "to 1/condition in equal ratios. two levels: 1, then 1/condition. identity: all 1.");
    f(condition, "condition", "condition number",
      "Largest eigenvalue of \u03a3 over the smallest, for the geometric and the two-level spectrum; "
      "that of Ahn et al. 2023 has 16.")
        .log_range(1, 1000)
        .acts_while("spectrum", {"geometric", "two_levels"});
    f.choice(prior, {{"sigma_inverse", WeightPrior::inverse_covariance}, {"identity", WeightPrior::identity}}, "prior",
             "w* drawn from", "N(0, \u03a3\u207b\u00b9) as in Theorems 4 and 5, or N(0, I) as in Theorems 1 and 3.")
        .called({{"sigma_inverse", "N(0, \u03a3\u207b\u00b9)"}, {"identity", "N(0, I)"}});
}

void RegressionConfig::training_fields(Fields& f) {
    f.group("training");
    f.choice(adam, {{"lbfgs", false}, {"adam", true}}, "optimizer", "optimizer",
             "lbfgs: L-BFGS on one fixed sample of prompts, as in Ahn et al. 2023; an iteration is a step. "
             "adam: a step is an update on fresh prompts.")
        .called({{"lbfgs", "L-BFGS"}, {"adam", "Adam"}});
    f.choice(
         whitened, {{"plain", false}, {"whitened", true}}, "metric", "steps measured in",
         "plain: the entries of P and Q as they are. whitened (ours): their entries in the coordinates in which x "
         "has covariance I. Loss, minima and start are the same, the way is shorter; the optimizer receives \u03a3.")
        .advanced();
    f(prompts, "num_prompts", "prompts",
      "Size of L-BFGS's sample. Theorem 1 at n = 5 needs 500,000 for an error of 2 %.")
        .log_range(500, 1e6)
        .acts_while("optimizer", {"lbfgs"});
    f(lbfgs.memory, "lbfgs_memory", "L-BFGS memory", "Steps that L-BFGS remembers to estimate the curvature.")
        .log_range(1, 200)
        .advanced()
        .acts_while("optimizer", {"lbfgs"});
    f(minibatch, "minibatch_size", "minibatch size", "Fresh prompts in one of Adam's updates.")
        .log_range(16, 8192)
        .advanced()
        .acts_while("optimizer", {"adam"});
    f(adam_options.learning_rate, "learning_rate", "learning rate", "Adam's step size.")
        .log_range(0, 0.3)
        .advanced()
        .acts_while("optimizer", {"adam"});
    f(initial_scale, "initial_scale", "initial scale",
      "Standard deviation of the Gaussian entries that are trained; A_i = (S + S')/2.")
        .log_range(1e-3, 1)
        .advanced();
}

void RegressionConfig::evaluation_fields(Fields& f) {
    f.group("evaluation");
    f(ridge_lambda, "ridge_lambda", "ridge \u03bb",
      "Penalty of the ridge regression in the race. There is no noise: with n at least d and \u03bb = 0 it is exact.")
        .range(0, 10)
        .live()
        .former("prompt", int64_t{0});
    bank_size_field(f, bank_size, "prompts",
                    "Loss and floors are measured on them, in the coordinates of \u03a3's eigenvectors.", 500, 100000);
    log_interval_field(f, log_interval, "iterations");
}

}  // namespace emergence
