#pragma once
// Sentences about settings in the words of the window.

#include <string>
#include <string_view>

#include "core/settings/fields.h"

namespace emergence {

/// The sentence with the names of fields replaced by their labels, the name of the first behind it: "layers L
/// (num_layers): '50' is ...". What stands in quotes was typed by the user and stays.
std::string with_labels(std::string_view sentence, const FieldTable& fields);

/// A field's help with the words and labels of its choices.
std::string help_in_words(const FieldInfo& info);

}  // namespace emergence
