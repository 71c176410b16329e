#pragma once
// What a right click on a block of a weight matrix offers, where the experiment has a field `surgery`: to
// operate on a copy of the weights. It edits that field's text and knows nothing of what is done.

#include <optional>
#include <string>
#include <utility>

#include "app/gui/session/session.h"
#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// The setting that holds the operations, in the experiments that have it.
inline constexpr const char* kSurgeryField = "surgery";

class SurgeryMenu {
  public:
    /// Opens at the pointer for a block of the matrix of that name, "Q0"; others have none.
    void open(const std::string& matrix, int row_block, int column_block);
    /// Draws it while it is open. Items are logged as "surgery TEXT".
    void draw(const Ui& ui, const Session& session);
    /// The field's new text, once.
    std::optional<std::string> take_surgery() { return std::exchange(wanted_, std::nullopt); }
    /// Training is to begin anew with the weights that are shown; asked once.
    bool take_train_on() { return std::exchange(train_on_, false); }

  private:
    void offer(const Ui& ui, const std::string& label, const std::string& operation,
               const std::string& before);

    std::string matrix_, block_;
    bool opening_ = false;
    std::optional<std::string> wanted_;
    bool train_on_ = false;
};

}  // namespace emergence
