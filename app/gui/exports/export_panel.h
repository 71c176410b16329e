#pragma once
// The export panel: which pictures and data, in which formats, into which folder; and how the writing went.

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/exports/export_order.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// A small version of the picture that an export would write, drawn by a job.
class ExportPreview {
  public:
    explicit ExportPreview(Jobs& jobs) : jobs_(jobs) {}

    /// Draws the picture called `name` at the cursor, as large as fits into `size` pixels, anew about once a second.
    /// `make` is called only then and returns an order with one choice.
    void draw(const Ui& ui, const std::string& name, ImVec2 size, const std::function<ExportOrder()>& make);

  private:
    using Clock = std::chrono::steady_clock;
    struct Result {
        PixelImage image;
        std::string refusal;  // why there is no picture
    };
    void begin(ImVec2 size, ExportOrder order);

    Jobs& jobs_;
    std::optional<Result> shown_;
    Job coming_;
    std::string wanted_;  // the picture that coming_ or shown_ is, and its size
    Clock::time_point next_at_;
    ImTextureID texture_ = nullptr;
    bool fresh_ = false;  // not yet in the texture
};

/// What is kept between starts.
struct ExportChoices {
    std::string folder;                                  // as typed
    std::array<bool, kFileFormats.size()> formats = {};  // in the order of kFileFormats
    bool run_files = false;
    PageFormat page;
    bool operator==(const ExportChoices&) const = default;
};

std::vector<FileFormat> chosen_formats(const ExportChoices& choices);

class ExportPanel : public Sheet {
  public:
    using Kind = FigureChoice::Kind;

    /// What the panels draw now.
    using Shown = std::function<ShownPanels(const Session&)>;
    ExportPanel(Jobs& jobs, Shown shown);

    void open(const Session& session) override;
    /// Opens it with one picture chosen: the one of this name, or the first of this kind.
    void open_with(std::optional<Kind> kind, const std::string& name = {});

    /// Widgets are logged as "export ...".
    void draw(const Context& context) override;
    ExportChoices& choices() { return choices_; }
    const std::optional<FileReport>& report() const { return report_; }

  private:
    // A paper's figure that this run cannot draw.
    struct Missing {
        std::string name, title, reason;
    };
    void check_figures(const Session& session);
    std::vector<FigureChoice> drawable(const Session& session, const ShownPanels& shown) const;
    void draw_missing(const Ui& ui);
    void draw_full_folder(const Ui& ui);
    void draw_list(const Ui& ui, const std::vector<FigureChoice>& list, ImVec2 size);
    void draw_choice(const Ui& ui, const FigureChoice& choice);
    void draw_preview(const Ui& ui, const Session& session, const ShownPanels& shown,
                      const std::vector<FigureChoice>& list, ImVec2 size);
    void draw_options(const Ui& ui, float width);
    void draw_formats(const Ui& ui);
    void draw_page(const Ui& ui);
    void draw_buttons(const Context& context, const ShownPanels& shown, const std::vector<FigureChoice>& list);
    void draw_progress(const Ui& ui);
    void draw_report(const Ui& ui);
    ExportOrder order_of(const Session& session, const ShownPanels& shown) const;
    void start(const Context& context, const ShownPanels& shown, const std::vector<FigureChoice>& list, bool replace);
    void choose_requested(const std::vector<FigureChoice>& list);
    // The choice in the preview; null if the list lacks it.
    const FigureChoice* pointed_at(const std::vector<FigureChoice>& list) const;
    bool is_ticked(const FigureChoice& choice) const { return ticked_.contains(choice.name); }

    Jobs& jobs_;
    Shown shown_;
    std::optional<Kind> requested_kind_;
    std::string requested_name_;
    std::optional<std::vector<Missing>> missing_;  // nullopt: not known yet
    std::shared_ptr<const Snapshot> checked_;      // the moment for which missing_ is known, or is being computed
    Job checking_;
    double check_again_at_ = 0.0;
    ExportChoices choices_;
    std::set<std::string> ticked_;  // names of choices
    std::string unasked_;           // ticked by the panel itself, until the user ticks something
    std::string pointed_;           // the choice in the preview
    std::string unseen_;            // the choice to scroll to
    std::string name_;
    std::string refusal_;  // why the typed folder or name cannot be used
    Job writing_;
    std::map<std::string, std::string> efforts_;  // effort_of() each figure, by name
    FileProgress progress_;
    std::optional<FileReport> report_;
    std::string copied_;  // the path that was put into the clipboard
    ExportPreview preview_;
};

}  // namespace emergence
