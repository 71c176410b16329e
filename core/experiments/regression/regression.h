#pragma once
// Experiment "regression": a linear transformer, trained to solve random linear regressions in context,
// discovers preconditioned gradient descent (Ahn et al. 2023).

#include <string>

#include "core/experiments/common_fields.h"
#include "core/lab/study.h"

namespace emergence {

/// Every setting, with the defaults of Section 5.3 (Theorem 4, Figures 1 and 2).
struct RegressionConfig {
    int num_layers = 3;
    std::string restriction = "9";
    int n = 20;
    int d = 5;
    std::string spectrum = "paper";
    double condition = 16;
    std::string prior = "sigma_inverse";
    std::string optimizer = "lbfgs";
    std::string metric = "plain";
    int num_prompts = 20000;
    int lbfgs_memory = 40;
    int minibatch_size = 512;
    double learning_rate = 1e-2;
    double initial_scale = 0.1;
    int64_t num_iterations = 160;
    int64_t seed = 0;
    int seeds = 5;
    int prompt = 0;
    double ridge_lambda = 0.1;
    int bank_size = 4000;
    int log_interval = 1;
};

/// Visits the settings of the model.
template <class Visitor>
void visit_regression_model(RegressionConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "num_layers",
                    .label = "layers L",
                    .help = "Attention layers, each with a P and a Q of its own: steps of the algorithm that "
                            "the transformer is to discover.",
                    .group = "model",
                    .minimum = 1,
                    .maximum = 6},
          c.num_layers);
    visit(FieldInfo{.name = "restriction",
                    .label = "restriction",
                    .help = "What is trained. 9: symmetric A_i in Q_i alone (Eq. 9), so that each layer is a "
                            "preconditioned gradient step. 13: B_i in P_i too (Eq. 13), which move the x. "
                            "none: all entries.",
                    .group = "model",
                    .choices = {"9", "13", "none"}},
          c.restriction);
}

/// Visits the settings of the prompts.
template <class Visitor>
void visit_regression_task(RegressionConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "n",
                    .label = "context length n",
                    .help = "Pairs (x, y) in a prompt, before the query.",
                    .group = "task",
                    .minimum = 1,
                    .maximum = 200,
                    .logarithmic = true},
          c.n);
    visit(FieldInfo{.name = "d",
                    .label = "dimension d",
                    .help = "Entries of x. With d = 2 the iterates' paths are drawn.",
                    .group = "task",
                    .minimum = 1,
                    .maximum = 12},
          c.d);
    visit(FieldInfo{.name = "spectrum",
                    .label = "spectrum of \u03a3",
                    .help =
                        "Eigenvalues of the covariance of x. paper: 1, 1, 1/4, 1/16, 1, repeated. geometric: "
                        "from 1 to 1/condition in equal ratios. two levels: 1, then 1/condition. "
                        "identity: all 1.",
                    .group = "task",
                    .choices = {"paper", "geometric", "two_levels", "identity"}},
          c.spectrum);
    visit(FieldInfo{.name = "condition",
                    .label = "condition number",
                    .help =
                        "Largest eigenvalue of \u03a3 over the smallest, for the geometric and the two-level "
                        "spectrum; the paper's has 16.",
                    .group = "task",
                    .minimum = 1,
                    .maximum = 1000,
                    .logarithmic = true,
                    .acts_while = {{"spectrum", {"geometric", "two_levels"}}}},
          c.condition);
    visit(
        FieldInfo{.name = "prior",
                  .label = "w* drawn from",
                  .help =
                      "N(0, \u03a3\u207b\u00b9), as Theorems 4 and 5 have it, or N(0, I), as Theorems 1 and "
                      "3.",
                  .group = "task",
                  .choices = {"sigma_inverse", "identity"}},
        c.prior);
}

/// Visits the settings of the training.
template <class Visitor>
void visit_regression_training(RegressionConfig& c, Visitor&& visit) {
    visit(
        FieldInfo{.name = "optimizer",
                  .label = "optimiser",
                  .help = "lbfgs: L-BFGS on one fixed sample of prompts, as in the paper; an iteration is a "
                          "step. adam: a step is an update on fresh prompts.",
                  .group = "training",
                  .choices = {"lbfgs", "adam"}},
        c.optimizer);
    visit(
        FieldInfo{.name = "metric",
                  .label = "steps measured in",
                  .help = "plain: the entries of P and Q as they are. whitened (ours): their entries in the "
                          "coordinates in which x has covariance I. Loss, minima and start are the same, "
                          "the way is shorter; it is told \u03a3.",
                  .group = "training",
                  .advanced = true,
                  .choices = {"plain", "whitened"}},
        c.metric);
    visit(FieldInfo{.name = "num_prompts",
                    .label = "prompts",
                    .help = "Size of L-BFGS's sample. Theorem 1 at n = 5 needs 500,000 for an error of 2 %.",
                    .group = "training",
                    .minimum = 500,
                    .maximum = 1e6,
                    .logarithmic = true,
                    .acts_while = {{"optimizer", {"lbfgs"}}}},
          c.num_prompts);
    visit(FieldInfo{.name = "lbfgs_memory",
                    .label = "L-BFGS memory",
                    .help = "Steps that L-BFGS remembers to estimate the curvature.",
                    .group = "training",
                    .minimum = 1,
                    .maximum = 200,
                    .logarithmic = true,
                    .advanced = true,
                    .acts_while = {{"optimizer", {"lbfgs"}}}},
          c.lbfgs_memory);
    visit(FieldInfo{.name = "minibatch_size",
                    .label = "minibatch size",
                    .help = "Fresh prompts in one of Adam's updates.",
                    .group = "training",
                    .minimum = 16,
                    .maximum = 8192,
                    .logarithmic = true,
                    .advanced = true,
                    .acts_while = {{"optimizer", {"adam"}}}},
          c.minibatch_size);
    visit(FieldInfo{.name = "learning_rate",
                    .label = "learning rate",
                    .help = "Adam's step size.",
                    .group = "training",
                    .minimum = 1e-5,
                    .maximum = 0.3,
                    .logarithmic = true,
                    .advanced = true,
                    .acts_while = {{"optimizer", {"adam"}}}},
          c.learning_rate);
    visit(FieldInfo{.name = "initial_scale",
                    .label = "initial scale",
                    .help = "Standard deviation of the Gaussian entries that are trained; A_i = (S + S')/2.",
                    .group = "training",
                    .minimum = 1e-3,
                    .maximum = 1,
                    .logarithmic = true,
                    .advanced = true},
          c.initial_scale);
}

/// Visits the settings of the evaluation.
template <class Visitor>
void visit_regression_evaluation(RegressionConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "prompt",
                    .label = "prompt shown",
                    .help = "Which fresh prompt's iterates are drawn on the contours of its loss (d = 2).",
                    .group = "evaluation",
                    .applies = Applies::live,
                    .minimum = 0,
                    .maximum = 499,
                    .acts_while = {{"d", {"2"}}}},
          c.prompt);
    visit(FieldInfo{.name = "ridge_lambda",
                    .label = "ridge \u03bb",
                    .help = "Penalty of the ridge regression in the race. There is no noise: with n at least "
                            "d and \u03bb = 0 it is exact.",
                    .group = "evaluation",
                    .applies = Applies::live,
                    .minimum = 0,
                    .maximum = 10},
          c.ridge_lambda);
    visit(
        FieldInfo{.name = "bank_size",
                  .label = "held-out prompts",
                  .help = "Prompts on which loss and floors are measured: never trained on, the same for all "
                          "seeds in the coordinates of \u03a3's eigenvectors.",
                  .group = "evaluation",
                  .minimum = 500,
                  .maximum = 100000,
                  .logarithmic = true,
                  .advanced = true},
        c.bank_size);
    visit(log_interval_field("iterations"), c.log_interval);
}

template <class Visitor>
void visit_fields(RegressionConfig& c, Visitor&& visit) {
    visit_regression_model(c, visit);
    visit_regression_task(c, visit);
    visit_regression_training(c, visit);
    visit(FieldInfo{.name = "num_iterations",
                    .label = "stop after",
                    .help = "The run stops when every seed has made this many iterations.",
                    .group = "run",
                    .unit = "iterations",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true},
          c.num_iterations);
    visit(first_seed_field("Each draws its own \u03a3, weights and prompts."), c.seed);
    visit(num_seeds_field(
              "How many independent trainings, each with a new rotation of \u03a3. The paper has 5."),
          c.seeds);
    visit_regression_evaluation(c, visit);
}

/// The experiment's entry in the registry.
ExperimentInfo regression();

}  // namespace emergence
