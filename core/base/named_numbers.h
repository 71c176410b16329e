#pragma once
// Numbers by name in one text, "p2,3=0.7 r1=-0.5": the value of a field that holds what was changed by hand.

#include <map>
#include <string>
#include <string_view>

namespace emergence {

using NamedNumbers = std::map<std::string, double>;

/// Entries are separated by spaces, tabs, line breaks or semicolons. Throws InputError, naming the entry,
/// what was found and what is allowed, for one without a name or a finite number and for a name given twice.
NamedNumbers parse_named_numbers(std::string_view text);

/// In the order of their names, each in the shortest form that reads back to the same number.
std::string to_text(const NamedNumbers& numbers);

/// `text` with the number of that name set, or with none of that name. A text that cannot be read counts as
/// empty.
std::string with_number(std::string_view text, const std::string& name, double value);
std::string without_number(std::string_view text, const std::string& name);

}  // namespace emergence
