#include "app/gui/widgets/field_words.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("sentences about settings name them as the window does") {
    const FieldTable fields = {{.name = "num_layers", .label = "layers L"},
                               {.name = "n", .label = "context length n"},
                               {.name = "gamma", .label = "discount gamma"},
                               {.name = "pool", .label = "pool of tasks K"}};
    CHECK(with_labels("num_layers: 'n' is not a whole number from 1 to 40", fields) ==
          "layers L (num_layers): 'n' is not a whole number from 1 to 40");
    CHECK(with_labels("pool: 3 is above num_layers = 2", fields) == "pool of tasks K (pool): 3 is above layers L = 2");
    CHECK(with_labels("gamma: with n = 3", fields) == "discount γ (gamma): with context length n = 3");
    CHECK(with_labels("", fields).empty());
}

TEST_CASE("a setting's help calls its choices as its list does") {
    const FieldInfo field{.name = "loss",
                          .help = "td: one step. td_lambda, monte_carlo: more, not td-like.",
                          .choices = {"td", "td_lambda", "monte_carlo"},
                          .choice_labels = {{"td", "TD"}, {"td_lambda", "TD(λ)"}}};
    CHECK(help_in_words(field) == "TD: one step. TD(λ), monte carlo: more, not td-like.");
}
