#pragma once
// Numbers by name in one text, "p2,3=0.7 r1=-0.5": the value of a field that holds changes made by hand.

#include <map>
#include <string>
#include <string_view>

namespace emergence {

using NamedNumbers = std::map<std::string, double>;

/// Reads entries name=number, separated by spaces, tabs, line breaks or semicolons. Throws InputError, naming the
/// entry, if one lacks a name or a finite number, or repeats a name.
NamedNumbers parse_named_numbers(std::string_view text);

/// The entries in the order of their names, each number in the shortest form that reads back to the same number.
std::string to_text(const NamedNumbers& numbers);

/// `text` with the number of that name set. An unreadable text counts as empty.
std::string with_number(std::string_view text, const std::string& name, double value);
/// `text` without the number of that name. An unreadable text counts as empty.
std::string without_number(std::string_view text, const std::string& name);

}  // namespace emergence
