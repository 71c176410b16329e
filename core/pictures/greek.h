#pragma once
// Names as people read them.

#include <string>
#include <string_view>

namespace emergence {

/// Spelled-out Greek as letters and apostrophes as primes: "gamma phi'" becomes "γ φ′". Whole words only.
std::string greek(std::string_view label);

}  // namespace emergence
