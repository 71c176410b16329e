#pragma once
// A field's value and its place on a slider, and sentences about settings.

#include <string>
#include <string_view>

#include "core/settings/fields.h"

namespace emergence {

/// The place of `value` between the field's minimum (0) and maximum (1). A logarithmic field has ratios; if its range
/// begins at 0 the first millionth is nearly linear.
double share_of(const FieldInfo& info, double value);

/// The value at a share of the range, in as few digits as tell neighbouring pixels of a slider `pixels` long apart; whole if
/// the field is.
double value_at(const FieldInfo& info, double share, double pixels);

/// The value some steps up or down, within the field's range: whole numbers by 1, others by about a fiftieth of the range in
/// round numbers, flags and choices by the next one.
FieldValue stepped(const FieldInfo& info, const FieldValue& value, int steps);

/// The value in a slider, in at most six digits: "0.001", "4000", "1.2e-06".
std::string shown_value(const FieldValue& value);

/// The sentence with labels instead of the names of fields; the first label is followed by its name: "layers L
/// (num_layers): '50' is ...". Words in quotes were typed by the user and stay.
std::string with_labels(std::string_view sentence, const FieldTable& fields);

/// A field's help with the words and labels of its choices.
std::string help_in_words(const FieldInfo& info);

}  // namespace emergence
