#pragma once
// How the window shows a run, as named values: embedded in what is exported and read back from there.

#include <initializer_list>
#include <optional>
#include <string>

#include "core/settings/toml.h"

namespace emergence {

// What a file says under a name; nothing where it says nothing there, or what cannot be.
std::optional<bool> flag_in(const ViewValues& view, const std::string& name);
/// Finite, and from `low` to `high`.
std::optional<double> number_in(const ViewValues& view, const std::string& name, double low, double high);
/// The place of the text in `choices`.
std::optional<int> choice_in(const ViewValues& view, const std::string& name,
                             std::initializer_list<const char*> choices);

}  // namespace emergence
