#pragma once
// What a right click on a block of a weight matrix offers if the experiment has a setting for surgery that acts: to
// operate on a copy of the weights. It extends that setting's text and knows nothing of what is done; matrices and
// blocks have the names that the snapshot gives them.

#include <string>

#include "app/gui/commands/asks.h"
#include "core/lab/snapshot.h"

namespace emergence {

class SurgeryMenu {
  public:
    /// Opens at the pointer for a block of the matrix of that name, "Q0".
    void open(const std::string& matrix, int row_block, int column_block);
    /// Draws it while it is open: nothing for a matrix that is no weight. Items are logged as "surgery TEXT".
    void draw(const Ui& ui, const Settings& settings, const Snapshot& snapshot, Asks& asks);

  private:
    void draw_items(const Ui& ui, const NamedMatrix& matrix, const std::string& field, const std::string& before,
                    Asks& asks) const;

    BlockReference block_;
    bool opening_ = false;
};

}  // namespace emergence
