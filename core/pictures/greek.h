#pragma once
// Names as people read them.

#include <string>
#include <string_view>

namespace emergence {

/// Spelled-out Greek as letters, apostrophes as primes and hyphens of numbers as minus signs: "gamma phi' -1" becomes
/// "γ φ′ −1". Whole words only.
std::string greek(std::string_view label);

}  // namespace emergence
