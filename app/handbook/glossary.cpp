#include "app/handbook/glossary.h"

namespace emergence::handbook {

const std::vector<Term>& glossary() {
    static const std::vector<Term> table = {
        {"context",
         {"contexts"},
         "The transitions in a prompt, from which the network is to estimate the value of the query.",
         "",
         "in-context-td.md"},
        {"emerged",
         {"emergence"},
         "A seed has emerged if its weights run the algorithm that theory names. Each experiment states its "
         "rule.",
         "",
         "in-context-td.md"},
        {"IWS",
         {"implicit weight similarity"},
         "Implicit weight similarity: cosine between the value weights that the network implies and those of "
         "batch TD. 1 is best.",
         "",
         "in-context-td.md"},
        {"MRP",
         {"MRPs", "Markov reward process"},
         "Markov reward process: states with rewards and random transitions, without actions. Its value is "
         "the expected discounted sum of rewards.",
         "v(s) = E[R_1 + gamma R_2 + gamma^2 R_3 + ... | S_0 = s]",
         "in-context-td.md"},
        {"MSVE",
         {"mean squared value error"},
         "Mean squared value error: squared difference between estimated and true values, weighted by how "
         "often each state occurs.",
         "MSVE = sum_s mu(s) (v_hat(s) - v(s))^2",
         "in-context-td.md"},
        {"prompt",
         {"prompts"},
         "The matrix Z that the network reads: one column per transition, and last the query.",
         "",
         "in-context-td.md"},
        {"query",
         {"queries"},
         "The last column of a prompt: the state whose value the network is asked for.",
         "",
         "in-context-td.md"},
        {"seed",
         {"seeds"},
         "One independent training: its own initial weights and random data. A run trains several side by "
         "side.",
         "",
         "in-context-td.md"},
        {"SS",
         {"sensitivity similarity"},
         "Sensitivity similarity: cosine between the gradients of the network's and batch TD's value with "
         "respect to the query. 1 is best.",
         "",
         "in-context-td.md"},
        {"VD",
         {"value difference"},
         "Value difference: mean squared difference between the values of the network and of batch TD. 0 is "
         "best.",
         "",
         "in-context-td.md"},
    };
    return table;
}

}  // namespace emergence::handbook
