#pragma once
// Claims that are measured by an expression of core/lab/quantity, and the numbers in their details.

#include <string>
#include <vector>

#include "core/lab/figures/claims.h"
#include "core/lab/quantity/quantity.h"

namespace emergence {

/// Throws InputError with the column if the text is no number of a run.
void check_value(const std::string& text);
/// The text with "{run}" replaced by the first run's label and "{EXPRESSION}" by its number, "–" if that is unknown:
/// three digits, or as "{EXPRESSION:.2f}" says; "{mean(...):±}" is a mean with its standard error. Throws InputError if
/// an expression does not parse, or names what the runs do not have.
std::string filled_detail(const std::string& text, const std::vector<RunView>& runs);
/// Throws InputError if one of its expressions does not parse.
void check_detail(const std::string& text);

/// The claim's `value`, with the detail filled. NaN with the reason as detail if it names what the runs do not have.
Measurement measured_value(const Claim& claim, const std::vector<RunView>& runs);

}  // namespace emergence
