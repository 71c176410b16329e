#pragma once
// Files that leave the window: exports, screenshots, weights, and a film of what the stage shows over the run's time.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/gif.h"
#include "app/gui/commands/asks.h"
#include "app/gui/exports/export_panel.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// An animated GIF: the window goes from moment to moment, and each frame that it draws is handed in. It has gone through
/// all moments once before, so that axes have room for all.
class Film {
  public:
    Film(Jobs& jobs, Asks& asks) : jobs_(jobs), asks_(asks) {}

    /// From the run's first moment to its newest. It goes into a new dated file in `folder`, with `config` inside. Throws
    /// InputError if there is no time to go through.
    void begin(const Session& session, std::filesystem::path folder, std::string config);
    /// Nothing is written.
    void stop();
    bool active() const { return !steps_.empty(); }

    /// Once a frame, before it is drawn: goes on to the next moment. Axes of plots do not shrink meanwhile.
    void turn(Session& session);
    /// The frame that is being drawn is one of the film.
    bool wants_picture() const { return wanted_; }
    /// That frame, and where the stage is in a window of this size.
    void take(const PixelImage& picture, const Box& stage, ImVec2 window);

  private:
    void finish();
    void add(PixelImage frame, int hundredths);
    void come_back();

    Jobs& jobs_;
    Asks& asks_;
    std::filesystem::path folder_;
    std::string name_, config_;
    std::vector<int64_t> steps_;  // empty: no film is made
    size_t passed_ = 0;           // of them, shown for a frame without a picture
    size_t at_ = 0;
    int drawn_ = 0;    // frames that show the moment
    int waiting_ = 0;  // frames that are not yet in the film
    bool wanted_ = false;
    bool holds_axes_ = false;
    std::optional<int64_t> before_;  // the moment that was shown; none if it was the newest
    std::shared_ptr<std::optional<GifMaker>> film_;
};

/// A frame that is drawn while it lives is drawn as if there were no pointer, if `on`.
class WithoutPointer {
  public:
    explicit WithoutPointer(bool on);
    ~WithoutPointer();
    WithoutPointer(const WithoutPointer&) = delete;
    WithoutPointer& operator=(const WithoutPointer&) = delete;

  private:
    bool on_;
    ImVec2 pointer_;
};

class FileDesk {
  public:
    FileDesk(Jobs& jobs, Asks& asks, ExportPanel::Shown shown);

    ExportPanel& export_panel() { return panel_; }
    Film& film() { return film_; }
    const Film& film() const { return film_; }

    /// Writes what the window shows into a dated PNG in the export folder, with the run's settings inside.
    void save_screenshot(PixelImage image, const Session& session, const ViewValues& view = {});
    /// Writes the shown weights, operated on as they are, into a new dated file in the folder for exports. Returns the
    /// file. Throws InputError, IoError and filesystem_error.
    std::filesystem::path write_weights(const Snapshot& shown);

    /// HTML, each by the word for its file's name.
    using Pages = std::vector<std::pair<std::string, std::string>>;
    /// Writes the pages that `make` gives into the folder for exports, by a job.
    void write_pages(const std::string& stem, std::function<Pages(const Jobs::Task& task)> make);
    /// Where exports go. Throws InputError.
    std::filesystem::path folder();

  private:
    Jobs& jobs_;
    Asks& asks_;
    ExportPanel panel_;
    Film film_;
};

/// "NAME-20260131-174502" and the ending, for the present time, with a number behind where `folder` has that.
std::filesystem::path new_dated_file(const std::filesystem::path& folder, const std::string& name,
                                     const std::string& ending);
/// "emergence-20260131-174502.png" for the present time, with a number behind where `folder` has that.
std::filesystem::path screenshot_path(const std::filesystem::path& folder);

}  // namespace emergence
