#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace emergence {

/// Hands what the laboratory writes into its folder of figures to the browser, as downloads.
class Downloads {
  public:
    /// Offers each file that has lain there unchanged since the last look, and removes it.
    void look();

  private:
    std::map<std::filesystem::path, std::uintmax_t> sizes_;  // as they were at the last look
};

}  // namespace emergence
