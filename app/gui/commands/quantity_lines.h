#pragma once
// A quantity that is being typed (core/lab/quantity): its number in a run, and how its last word may go on.

#include <string>
#include <vector>

#include "core/lab/quantity/quantity.h"

namespace emergence {

struct QuantityLines {
    /// "0.31 (0.27 to 0.36, n = 8)", or the values of the first seeds; "" if the text is no whole quantity.
    std::string answer;
    /// Why a text that begins as a quantity has no number.
    std::string why_not;
    struct Ending {
        /// The whole text with its last word completed.
        std::string text, help;
    };
    std::vector<Ending> endings;
};

/// If the text does not begin with a word of quantities and more behind it: what the run has with this in its name.
QuantityLines quantity_lines(const std::string& typed, const RunView& run);

}  // namespace emergence
