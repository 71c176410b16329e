#pragma once
// Files that leave the window: exports, weights, pages and films.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/exports/export_panel.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/theme.h"

namespace emergence {

class FileDesk {
  public:
    FileDesk(Jobs& jobs, Asks& asks, ExportPanel::Shown shown);

    ExportPanel& export_panel() { return panel_; }

    /// Writes the weights that are shown, with surgery, into a new dated file in the folder for exports. Returns the
    /// file. Throws InputError, IoError and filesystem_error.
    std::filesystem::path write_weights(const Snapshot& shown);

    /// The bytes of files, each with the word for its name.
    using Made = std::vector<std::pair<std::string, std::string>>;
    /// A job writes what `make` returns into the folder for exports, as "STEM-WORD-20260131-174502" and the ending.
    Job write_made(const std::string& stem, const std::string& ending,
                   std::function<Made(const Jobs::Task& task)> make);
    /// Where exports go. Throws InputError.
    std::filesystem::path folder();

  private:
    Jobs& jobs_;
    Asks& asks_;
    ExportPanel panel_;
};

}  // namespace emergence
