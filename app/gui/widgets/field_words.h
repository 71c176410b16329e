#pragma once
// From the place on a slider to the value of a field and back, without any drawing.

#include <string>
#include <string_view>

#include "core/settings/fields.h"

namespace emergence {

/// Where `value` is between the field's minimum (0) and maximum (1): in ratios for a logarithmic field (from
/// 0 on, where its range begins there, the first millionth of it being nearly linear).
double share_of(const FieldInfo& info, double value);

/// The value at a share of the range, in as few digits as still tell two neighbouring pixels of a slider
/// `pixels` long apart; whole where the field is.
double value_at(const FieldInfo& info, double share, double pixels);

/// The value some steps up (or down, where negative): whole numbers by 1, others by a fiftieth or so of the
/// range in round numbers, flags and choices by the next in line. Always allowed by the field's own range.
FieldValue stepped(const FieldInfo& info, const FieldValue& value, int steps);

/// As it stands in a slider, in at most six digits: "0.001", "4000", "1.2e-06".
std::string shown_value(const FieldValue& value);

// Sentences about settings in the words of the window.

/// The sentence with the names of fields replaced by their labels, the name of the first behind it: "layers L
/// (num_layers): '50' is ...". What stands in quotes was typed by the user and stays.
std::string with_labels(std::string_view sentence, const FieldTable& fields);

/// A field's help with the words and labels of its choices.
std::string help_in_words(const FieldInfo& info);

}  // namespace emergence
