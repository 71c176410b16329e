#pragma once
// The words of quantities as a table: the handbook's page, `--json`, lists in the window and messages are made from it.

#include <string>
#include <string_view>
#include <vector>

#include "core/lab/quantity/quantity.h"

namespace emergence {

struct QuantityWord {
    /// What it begins with: "metric".
    std::string_view word;
    /// "metric NAME [first | last | at STEP]".
    std::string_view form;
    /// What it says, in a sentence.
    std::string_view help;
    /// "of the run", "of each seed", "over seeds", "combined".
    std::string_view group;
    QuantityKind kind = QuantityKind::number;
    Reduction reduction = Reduction::mean;
};
const std::vector<QuantityWord>& quantity_words();

/// What a run has for one of the words, as it is written in a quantity: "metric msve", "curve similarity IWS at 0".
struct AvailableQuantity {
    std::string text, help;
};
std::vector<AvailableQuantity> available_quantities(const RunView& run);

/// A name as it stands in a quantity: in single quotes if it must.
std::string quoted_name(std::string_view name);

}  // namespace emergence
