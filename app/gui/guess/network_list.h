#pragma once
// The networks in a cell of a table of truths and answers; a click opens one.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "core/lab/guessing/riddles.h"

namespace emergence {

class NetworkList : public Sheet {
  public:
    using Chosen = std::function<void(size_t)>;
    /// `chosen` receives the network that is clicked.
    explicit NetworkList(Chosen chosen) : Sheet("networks", Keys::own), chosen_(std::move(chosen)) {}
    /// `covered`: how many more there are whose label is still to be guessed.
    void open_with(std::shared_ptr<const Riddles> riddles, std::vector<size_t> networks, std::string title,
                   size_t covered);
    const std::vector<size_t>& networks() const { return networks_; }
    const std::shared_ptr<const Riddles>& riddles() const { return riddles_; }

    /// Its lines are logged as "network SEED NUMBER".
    void draw(const Context& context) override;

  private:
    Chosen chosen_;
    std::shared_ptr<const Riddles> riddles_;
    std::vector<size_t> networks_;
    std::string title_;
    size_t covered_ = 0;
};

}  // namespace emergence
