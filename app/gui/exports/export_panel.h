#pragma once
// The export panel: which pictures and data, in which formats, where to; what is being written and where it
// went.

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

/// The picture that an export would write, small, drawn by a job.
class ExportPreview {
  public:
    explicit ExportPreview(Jobs& jobs) : jobs_(jobs) {}

    /// The picture called `name` (another name is another picture) as large as fits into `size` pixels at the cursor;
    /// drawn again about once a second. `make` is asked for what it needs only then: an order with one choice.
    void draw(const Ui& ui, const std::string& name, ImVec2 size, const std::function<ExportOrder()>& make);

  private:
    using Clock = std::chrono::steady_clock;
    struct Result {
        PixelImage image;
        std::string refusal;  // why there is no picture
    };
    void begin(const std::string& name, ImVec2 size, ExportOrder order);
    void take(Result result);

    Jobs& jobs_;
    std::optional<Result> shown_;
    Job coming_;
    std::string wanted_;  // of which picture coming_ or shown_ is
    ImVec2 wanted_size_;
    Clock::time_point started_at_;
    Clock::time_point next_at_;
    ImTextureID texture_ = nullptr;
    bool fresh_ = false;  // not yet in the texture
};

/// What is kept between starts.
struct ExportChoices {
    std::string folder;                                  // as it was typed
    std::array<bool, kFileFormats.size()> formats = {};  // in the order of kFileFormats
    bool run_files = false;
    PageFormat page;
    bool operator==(const ExportChoices&) const = default;
};

std::vector<FileFormat> chosen_formats(const ExportChoices& choices);
/// PDF (SVG where no PDF can be written) and PNG, into default_export_folder().
ExportChoices default_export_choices();

class ExportPanel : public Sheet {
  public:
    using Kind = FigureChoice::Kind;

    /// The panels as they are drawn.
    using Shown = std::function<ShownPanels(const Session&)>;
    ExportPanel(Jobs& jobs, Shown shown);

    /// As it was left.
    void open(const Session& session) override;
    /// Opens it with one picture chosen: by name, or the first whose kind it is.
    void open_with(std::optional<Kind> kind, const std::string& name = {});

    /// Widgets are logged as "export ...".
    void draw(const Context& context) override;
    ExportChoices& choices() { return choices_; }
    const std::optional<FileReport>& report() const { return report_; }

  private:
    // A paper's figure that cannot be drawn of this run.
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
    // What the preview shows; null where the list has it not.
    const FigureChoice* pointed_at(const std::vector<FigureChoice>& list) const;
    bool is_ticked(const FigureChoice& choice) const { return ticked_.contains(choice.name); }

    Jobs& jobs_;
    Shown shown_;
    bool close_now_ = false;  // after this frame
    std::optional<Kind> requested_kind_;
    std::string requested_name_;
    std::optional<std::vector<Missing>> missing_;  // nothing: not known yet
    std::shared_ptr<const Snapshot> checked_;      // of which missing_ is, or is coming
    Job checking_;
    double check_again_at_ = 0.0;
    ExportChoices choices_ = default_export_choices();
    std::set<std::string> ticked_;  // names of choices
    std::string unasked_;           // ticked so that something is: goes once anything else is ticked
    std::string pointed_;           // the choice that the preview shows
    std::string name_;
    std::string refusal_;  // of what was typed
    Job writing_;
    std::map<std::string, std::string> efforts_;  // of figures of many runs, by name; read once
    FileProgress progress_;                       // while it writes
    std::optional<FileReport> report_;
    std::string copied_;  // the path that was put into the clipboard
    ExportPreview preview_;
};

}  // namespace emergence
