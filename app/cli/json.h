#pragma once
// JSON of the command line: one value per call, on one line, so that a program can read the last line of any command.

#include <iosfwd>
#include <nlohmann/json.hpp>

#include "core/settings/fields.h"

namespace emergence::cli {

/// Keys stay in the order in which they are added.
using Json = nlohmann::ordered_json;

/// A number; null if it is not finite, which JSON cannot say.
Json json_number(double value);
/// A setting's value with its own type.
Json json_value(const FieldValue& value);
/// One line. Text that is not UTF-8 has its wrong bytes replaced.
void print_json(const Json& json, std::ostream& out);

}  // namespace emergence::cli
