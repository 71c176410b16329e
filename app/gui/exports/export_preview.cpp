#include "app/gui/exports/export_preview.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

constexpr auto kBetween = std::chrono::milliseconds(1000);
constexpr int kShare = 10;  // drawing takes no more than one part in so many of a core

}  // namespace

void ExportPreview::begin(const std::string& name, ImVec2 size, ExportOrder order) {
    wanted_ = name;
    wanted_size_ = size;
    started_at_ = Clock::now();
    coming_ = jobs_.post(
        Lane::preview,
        [from = std::move(order), size](const Jobs::Task&) {
            Result result;
            try {
                const FigureSpec figure =
                    build_figure(from.choices.front(), *from.experiment, *from.snapshot, from.history, from.shown);
                result.image = draw_pixels(figure, static_cast<int>(size.x), static_cast<int>(size.y), from.page);
            } catch (const std::exception& error) {
                result.refusal = error.what();
            }
            return result;
        },
        [this](Result result) { take(std::move(result)); });
}

void ExportPreview::take(Result result) {
    shown_ = std::move(result);
    const Clock::time_point now = Clock::now();
    next_at_ = now + std::max<Clock::duration>(kBetween, kShare * (now - started_at_));
    fresh_ = true;
}

void ExportPreview::draw(const Ui& ui, const std::string& name, ImVec2 size, const std::function<ExportOrder()>& make) {
    size = {std::floor(size.x), std::floor(size.y)};
    const bool other = name != wanted_ || size.x != wanted_size_.x || size.y != wanted_size_.y;
    if (!coming_.active() && (other || Clock::now() > next_at_)) begin(name, size, make());
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Dummy(size);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 centre(std::round(at.x + size.x / 2), std::round(at.y + size.y / 2));
    if (!shown_ || !shown_->refusal.empty()) {
        const std::string text = shown_ ? elided(ui.fonts.small, shown_->refusal, size.x) : "drawing…";
        draw_text_placed(list, ui.fonts.small, centre, Placed::middle, Placed::middle, ui.colors.muted, text);
        return;
    }
    const PixelImage& image = shown_->image;
    if (fresh_ && ui.textures != nullptr) {
        texture_ = ui.textures->upload(texture_, image.width, image.height, image.pixels);
        fresh_ = false;
    }
    const ImVec2 min(std::round(centre.x - static_cast<float>(image.width) / 2),
                     std::round(centre.y - static_cast<float>(image.height) / 2));
    const ImVec2 max(min.x + static_cast<float>(image.width), min.y + static_cast<float>(image.height));
    if (texture_ != nullptr) list->AddImage(texture_, min, max);
    list->AddRect(min, max, ui.colors.border);
}

}  // namespace emergence
