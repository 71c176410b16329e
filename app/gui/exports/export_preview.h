#pragma once
// The picture that an export would write, small, drawn by a job.

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "app/gui/exports/export_order.h"
#include "app/gui/shell/jobs.h"
#include "app/gui/shell/theme.h"

namespace emergence {

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

}  // namespace emergence
