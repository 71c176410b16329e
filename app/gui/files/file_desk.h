#pragma once
// Where files leave the window and come in: exports, screenshots, what is opened or dropped on it.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/gui/files/export_panel.h"
#include "app/gui/files/export_worker.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/toasts.h"

namespace emergence {

/// The settings in which a run begins: those of a file, and the step that it shows.
struct Opening {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::optional<int64_t> step;
    std::optional<ViewValues> view;
};

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
    /// Loads a preset, a config, an exported figure, an own MRP or a run of the published code; weights alone
    /// become those that the present experiment starts from, where it can. What is wrong with it becomes a
    /// banner.
    void open_file(const std::filesystem::path& path, Session& session,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment);

    /// The same from a text that somebody has copied: a config, as it stands in a file or in an e-mail.
    void open_text(const std::string& text, Session& session,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment,
                   const std::string& name = "the pasted text");
    /// Begins a new run with the weights that are shown, operated on as they are, which are kept in the
    /// folder for exports. What keeps it from that becomes a banner.
    void train_on(Session& session);

    /// What is opened next is to be looked at so, once it is there; nothing: as what is there now.
    void restore(std::optional<ViewValues> view) { restored_ = std::move(view); }
    /// How the file that was opened last is to be looked at, if that was not taken yet; asked when its run is
    /// there.
    std::optional<ViewValues> take_view() { return std::exchange(restored_, std::nullopt); }

    /// The export panel and the notices, which are at the right end of `line` where that is shown, else at
    /// the lower right of `area`.
    void draw(const Ui& ui, Session& session, const ShownPanels& shown, const Box& area, const Box& line);
    /// A notice has had its time: another frame is needed.
    bool needs_frame() const { return toasts_.stale(); }
    const Toasts& toasts() const { return toasts_; }
    Toasts& toasts() { return toasts_; }

  private:
    void take_reports(Session& session);
    void begin(const Opening& opening, const std::string& name, Session& session);
    void start_from_weights(const std::filesystem::path& path, Session& session);

    ExportPanel panel_;
    std::optional<ViewValues> restored_;
    Toasts toasts_;
    ExportWorker worker_;  // last: it ends first
};

/// Reads a preset, a config, an exported figure or an own MRP against the experiments that there are. What a
/// file that keeps other settings leaves out is as in `present`, where that is of the same experiment and
/// what the file names has an effect beside it; else as by default. Throws InputError, naming the file.
Opening opening_of(const std::filesystem::path& path,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment,
                   const Session* present = nullptr);

/// The same for what has been read. Throws InputError, naming its source.
Opening opening_of(const SettingsFile& file,
                   const std::function<const ExperimentInfo&(const std::string&)>& find_experiment,
                   const Session* present = nullptr);

/// A config without what e-mails, READMEs and chats put around it: quotation marks at the beginning of lines,
/// fences.
std::string plain_config(const std::string& text);

/// The state of the window as a short text: the experiment, settings that differ from their defaults, how it
/// is looked at, and where the run rests its step.
std::string state_text(const Session& session, const ViewValues& view);

/// "emergence-20260131-174502.png" for the present time, with a number behind where `folder` has that.
std::filesystem::path screenshot_path(const std::filesystem::path& folder);

/// What a picture of the window carries: the settings and the step of the run and how it is looked at, so
/// that it can be opened again.
std::string settings_in_screenshot(const Session& session, const ViewValues& view = {});

}  // namespace emergence
