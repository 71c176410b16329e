#pragma once
// The networks in a cell of a table of truths and answers; a click opens one.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/lab/guessing/riddles.h"

namespace emergence {

class NetworkList {
  public:
    /// `covered`: how many more there are whose label is still to be guessed.
    void open(std::shared_ptr<const Riddles> riddles, std::vector<size_t> networks, std::string title, size_t covered);
    void close() { open_ = false; }
    bool is_open() const { return open_; }
    const std::vector<size_t>& networks() const { return networks_; }
    const std::shared_ptr<const Riddles>& riddles() const { return riddles_; }

    /// Draws it. The network that was clicked. Logged as "panel networks", its lines as "network SEED NUMBER".
    std::optional<size_t> draw(const Ui& ui);

  private:
    bool open_ = false, raise_ = false;
    std::shared_ptr<const Riddles> riddles_;
    std::vector<size_t> networks_;
    std::string title_;
    size_t covered_ = 0;
};

}  // namespace emergence
