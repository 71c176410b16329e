#pragma once
// Where files leave the window and come in: exports, screenshots, what is opened or dropped on it.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/gui/export_worker.h"
#include "app/gui/layout.h"
#include "app/gui/panels/export.h"
#include "app/gui/panels/toasts.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"

namespace emergence {

class FileDesk {
  public:
    /// `on_change` is called from other threads when another frame is needed.
    explicit FileDesk(std::function<void()> on_change = {});

    /// Opens the export panel with the first picture of `kind` chosen, or the one of `name`.
    void open_export(std::optional<FigureChoice::Kind> kind = {}, const std::string& name = {});
    bool export_open() const { return panel_.is_open(); }
    void close_export() { panel_.close(); }
    ExportPanel& export_panel() { return panel_; }

    /// Writes what the window shows into a dated PNG in the export folder, with the run's settings inside.
    void save_screenshot(PixelImage image, const Session& session, const ViewValues& view = {});
    /// Loads a preset, a config or an exported figure. What is wrong with it becomes a banner.
    void open_file(const std::filesystem::path& path, Session& session,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment);

    /// What is opened next is to be looked at so, once it is there; nothing: as what is there now.
    void restore(std::optional<ViewValues> view) { restored_ = std::move(view); }
    /// How the file that was opened last is to be looked at, if that was not taken yet; asked when its run is
    /// there.
    std::optional<ViewValues> take_view() { return std::exchange(restored_, std::nullopt); }

    /// The export panel and the notices, which are at the lower right of `area`.
    void draw(const Ui& ui, Session& session, const ShownPanels& shown, const Box& area);
    /// A notice has had its time: another frame is needed.
    bool needs_frame() const { return toasts_.stale(); }
    const Toasts& toasts() const { return toasts_; }
    Toasts& toasts() { return toasts_; }

  private:
    void take_reports(Session& session);

    ExportPanel panel_;
    std::optional<ViewValues> restored_;
    Toasts toasts_;
    ExportWorker worker_;  // last: it ends first
};

/// The settings in which a run begins: those of a file, and the step that it shows.
struct Opening {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::optional<int64_t> step;
    std::optional<ViewValues> view;
};

/// Reads a preset, a config or an exported figure against the experiments that there are. Throws InputError,
/// naming the file.
Opening opening_of(const std::filesystem::path& path,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment);

/// "emergence-20260131-174502.png" for the present time, with a number behind where `folder` has that.
std::filesystem::path screenshot_path(const std::filesystem::path& folder);

/// What a picture of the window carries: the settings and the step of the run and how it is looked at, so
/// that it can be opened again.
std::string settings_in_screenshot(const Session& session, const ViewValues& view = {});

}  // namespace emergence
